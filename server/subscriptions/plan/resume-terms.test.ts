import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cadence } from '../../catalog/cadence.ts'
import type { Cents } from '../../lib/money.ts'
import { addDays, billingDay, type Day, instantOf, periodIndexContaining } from './calendar.ts'
import { type ResumeInput, type ResumeTerms, resumeTerms } from './resume-terms.ts'

const RUNS = { numRuns: 1_000, seed: 1 }
const ZONE = 'America/Toronto'
const TOTAL = 2_314 as Cents
const DAY_SECONDS = 86_400
const MONTHLY: Cadence = { interval: 'month', count: 1 }
const CADENCES: Cadence[] = [
  { interval: 'week', count: 2 },
  MONTHLY,
  { interval: 'month', count: 3 },
  { interval: 'year', count: 1 },
]

const day = (text: string) => text as Day

/**
 * Returns the terms of a subscription billed monthly on the 31st, paid through 31 July, and paused with ten days left.
 */
function resumed(on: string, anchor: 'now' | 'unchanged', change: Partial<ResumeInput> = {}): ResumeTerms {
  return resumeTerms({
    now: new Date(instantOf(day(on), ZONE).getTime() + 9 * 3_600_000),
    zone: ZONE,
    anchor,
    segment: { anchor: day('2024-05-31'), cadence: MONTHLY },
    paidThrough: day('2024-07-31'),
    unused: 'preserve_time',
    remainingSeconds: 10 * DAY_SECONDS,
    billTotal: TOTAL,
    ...change,
  })
}

const FREE = {
  chargeDueToday: 0,
  isQuoted: false,
  billsTodayByScheduler: false,
  segmentAnchor: null,
  preservedThroughAt: null,
}

describe('A resume from today', () => {
  test('with preserved time serves it, to the first midnight after it, where the new schedule begins (SUB-26)', () => {
    deepEqual(resumed('2024-08-20', 'now'), {
      ...FREE,
      newPeriodStart: '2024-08-20',
      newPeriodEnd: '2024-08-31',
      nextBillingDay: '2024-08-31',
      nextPeriodNo: 0,
      segmentAnchor: '2024-08-31',
      preservedThroughAt: new Date('2024-08-30T13:00:00Z'),
    })
  })

  test('with preserved time that ends at a midnight adds nothing', () => {
    const now = instantOf(day('2024-08-20'), ZONE)
    equal(resumed('2024-08-20', 'now', { now }).newPeriodEnd, '2024-08-30')
    equal(resumed('2024-08-20', 'now', { now: new Date(now.getTime() + 999) }).newPeriodEnd, '2024-08-30')
    equal(resumed('2024-08-20', 'now', { now: new Date(now.getTime() + 1_000) }).newPeriodEnd, '2024-08-31')
    equal(resumed('2024-08-20', 'now', { now, remainingSeconds: 1 }).newPeriodEnd, '2024-08-21')
  })

  const charged = {
    ...FREE,
    chargeDueToday: TOTAL,
    isQuoted: true,
    newPeriodStart: '2024-08-31',
    newPeriodEnd: '2024-09-30',
    nextBillingDay: '2024-09-30',
    nextPeriodNo: 1,
    segmentAnchor: '2024-08-31',
  }
  const charging: [why: string, change: Partial<ResumeInput>][] = [
    ['after an external refund', { unused: 'external_refund' }],
    ['of an unpaid period', { unused: null, remainingSeconds: 0, paidThrough: null }],
    ['of an unpaid period for which a choice was sent', { remainingSeconds: 0 }],
  ]
  for (const [why, change] of charging) {
    test(`${why} charges a full bill, and the schedule begins today (SUB-27)`, () =>
      deepEqual(resumed('2024-08-31', 'now', change), charged))
  }

  test('serves at least the preserved time, and less than 25 hours more', () => {
    const seconds = fc.integer({ min: 1, max: 366 * DAY_SECONDS })
    const time = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) })
    const zone = fc.constantFrom(ZONE, 'America/St_Johns', 'Pacific/Auckland', 'Africa/Cairo', 'UTC')
    fc.assert(
      fc.property(time, seconds, zone, (now, remainingSeconds, timeZone) => {
        const terms = resumed('2024-01-01', 'now', { now: new Date(now), zone: timeZone, remainingSeconds })
        const served = instantOf(terms.nextBillingDay, timeZone).getTime() / 1_000 - Math.floor(now / 1_000)
        ok(served >= remainingSeconds && served < remainingSeconds + 25 * 3_600, `${served} for ${remainingSeconds}`)
        equal(terms.chargeDueToday, 0)
      }),
      RUNS,
    )
  })
})

describe('A resume to the original schedule', () => {
  const rest = {
    ...FREE,
    newPeriodStart: '2024-06-30',
    newPeriodEnd: '2024-07-31',
    nextBillingDay: '2024-07-31',
    nextPeriodNo: 2,
  }

  for (const unused of ['preserve_time', 'external_refund'] as const) {
    test(`before the paid time ends serves the rest of it: ${unused} (SUB-28)`, () => {
      deepEqual(resumed('2024-07-20', 'unchanged', { unused }), rest)
      deepEqual(resumed('2024-07-30', 'unchanged', { unused }), rest)
    })
  }

  test('during preserved time serves the rest of that, which no date of the schedule began', () => {
    const segment = { anchor: day('2024-07-31'), cadence: MONTHLY }
    const ofSegment = { ...rest, nextPeriodNo: 0 }
    deepEqual(resumed('2024-07-20', 'unchanged', { segment, paidFrom: day('2024-07-10') }), {
      ...ofSegment,
      newPeriodStart: '2024-07-10',
    })
    deepEqual(resumed('2024-07-20', 'unchanged', { segment }), { ...ofSegment, newPeriodStart: '2024-07-20' })
  })

  test('after the paid time is free up to the next date of the schedule (SUB-29)', () => {
    deepEqual(resumed('2024-08-01', 'unchanged'), {
      ...FREE,
      newPeriodStart: '2024-07-31',
      newPeriodEnd: '2024-08-31',
      nextBillingDay: '2024-08-31',
      nextPeriodNo: 3,
    })
  })

  test('on a date of the schedule is billed today, by the scheduler (SUB-29)', () => {
    const today = { ...FREE, newPeriodStart: '2024-07-31', newPeriodEnd: '2024-08-31', billsTodayByScheduler: true }
    deepEqual(resumed('2024-07-31', 'unchanged'), { ...today, nextBillingDay: '2024-07-31', nextPeriodNo: 2 })
  })

  test('on a date whose bill the pause has closed is billed on the next (SUB-18)', () => {
    deepEqual(resumed('2024-07-31', 'unchanged', { nextPeriodNo: 3 }), {
      ...FREE,
      newPeriodStart: '2024-07-31',
      newPeriodEnd: '2024-08-31',
      nextBillingDay: '2024-08-31',
      nextPeriodNo: 3,
    })
  })

  test('before the first period of an unpaid subscription waits for it', () => {
    deepEqual(resumed('2024-05-20', 'unchanged', { paidThrough: null, unused: null, remainingSeconds: 0 }), {
      ...FREE,
      newPeriodStart: '2024-05-31',
      newPeriodEnd: '2024-06-30',
      nextBillingDay: '2024-05-31',
      nextPeriodNo: 0,
    })
  })

  test('charges nothing in the call, and bills next on the first date of the schedule from today on', () => {
    const anchor = day('2020-01-31')
    fc.assert(
      fc.property(fc.constantFrom(...CADENCES), fc.nat(1_500), fc.nat(5), (cadence, later, paidPeriods) => {
        const today = addDays(anchor, later)
        const paidThrough = billingDay(anchor, cadence, paidPeriods)
        const terms = resumed(today, 'unchanged', { segment: { anchor, cadence }, paidThrough })
        deepEqual([terms.chargeDueToday, terms.isQuoted, terms.segmentAnchor], [0, false, null])
        const next = today < paidThrough ? paidThrough : terms.nextBillingDay
        equal(terms.nextBillingDay, next)
        equal(billingDay(anchor, cadence, terms.nextPeriodNo), next)
        ok(next >= today)
        if (today >= paidThrough) {
          const running = periodIndexContaining(anchor, cadence, today)
          const isDate = billingDay(anchor, cadence, running) === today
          equal(terms.nextPeriodNo, isDate ? running : running + 1)
          equal(terms.billsTodayByScheduler, isDate)
          equal(terms.newPeriodStart, billingDay(anchor, cadence, running))
          equal(terms.newPeriodEnd, billingDay(anchor, cadence, running + 1))
        }
      }),
      RUNS,
    )
  })

  test('skips no bill, though every day has a pause of an hour', () => {
    const anchor = day('2024-01-31')
    const grid = Array.from({ length: 13 }, (_, k) => billingDay(anchor, MONTHLY, k))
    const billed: Day[] = [anchor]
    let next = billingDay(anchor, MONTHLY, 1)
    for (let today = anchor; today <= '2025-01-31'; today = addDays(today, 1)) {
      if (today === next) billed.push(today)
      const paidThrough = billingDay(anchor, MONTHLY, billed.length)
      const remainingSeconds =
        (instantOf(paidThrough, ZONE).getTime() - instantOf(today, ZONE).getTime()) / 1_000 - 8 * 3_600
      const segment = { anchor, cadence: MONTHLY }
      next = resumed(today, 'unchanged', { segment, paidThrough, remainingSeconds }).nextBillingDay
    }
    deepEqual(billed, grid)
  })
})
