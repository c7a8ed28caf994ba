import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subscriptionOf } from '../../../test/support/subscription-of.ts'
import type { Bill } from '../bill.ts'
import type { Pause } from '../pause.ts'
import { type Day, instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'
import { dueAgainAt, dueAtOf } from './due.ts'
import { nextStep } from './next-step.ts'
import { isTooMuchMissed, newBill, openBill, skipElapsed } from './open-bill.ts'
import { passBoundary } from './pass-boundary.ts'

const ZONE = 'America/Toronto'
const day = (text: string) => text as Day
const at = (text: string) => instantOf(day(text), ZONE)
const NOW = at('2026-02-28')
const SETTINGS = { billingRunLocalTime: '00:00', missedDatesMax: 3 }

const billOf = (given: Partial<Bill> = {}): Bill => ({
  ...newBill({ segmentNo: 0, periodNo: 1, periodStart: day('2026-02-28'), periodEnd: day('2026-03-31') }, NOW),
  ...given,
})

const pauseOf = (scheduledFor: Date): Pause => ({
  id: 'p',
  status: 'pending',
  mode: 'period_end',
  reason: null,
  unusedTimeBehavior: null,
  scheduledFor,
  pausedAt: null,
  paidThroughAt: null,
  remainingPaidSeconds: 0,
  refundConfirmed: false,
  refundReference: null,
  refundNote: null,
  resumeMode: null,
  resumedAt: null,
  createdAt: at('2026-02-01'),
})

/** Returns a monthly subscription from 31 January, with its first period paid: the next date is 28 February. */
const loaded = (
  given: Partial<Subscription> = {},
  more: Partial<Omit<LoadedSubscription, 'subscription'>> = {},
): LoadedSubscription => ({ subscription: subscriptionOf(given), bill: null, pause: null, isCharging: false, ...more })

describe('The next step of a due subscription', () => {
  const later = at('2026-03-03')
  const WEEKLY = { cadence: { interval: 'week', count: 1 } } as const
  const CASES: [what: string, one: LoadedSubscription, kind: string][] = [
    ['a date that has come', loaded(), 'charge'],
    ['a date to come', loaded({ nextBillingDate: day('2026-03-01') }), 'wait'],
    ['an open bill that is due', loaded({}, { bill: billOf() }), 'charge'],
    ['an open bill that is tried later', loaded({}, { bill: billOf({ nextAttemptAt: later }) }), 'wait'],
    ['an open charge', loaded({}, { bill: billOf(), isCharging: true }), 'charging'],
    ['a scheduled cancel, also while a charge is open', loaded({ cancelAt: NOW }, { isCharging: true }), 'boundary'],
    ['a scheduled pause', loaded({}, { pause: pauseOf(NOW) }), 'boundary'],
    ['a boundary to come', loaded({ cancelAt: later, nextBillingDate: day('2026-03-31') }), 'wait'],
    ['all installments paid (BIL-26)', loaded({ installments: 1, paidBills: 1 }), 'wait'],
    ['a paused one', loaded({ status: 'paused' }), 'wait'],
    ['a held one', loaded({ catchUpHeldAt: NOW }), 'wait'],
    ['too much missed', loaded({ ...WEEKLY, startDate: day('2026-01-24'), lastPaymentAt: at('2026-01-24') }), 'hold'],
  ]
  for (const [what, one, kind] of CASES) {
    test(`${what}: ${kind}`, () => equal(nextStep(one, NOW, SETTINGS).kind, kind))
  }

  test('opens the bill of the next date, and moves the period with it', () => {
    const step = nextStep(loaded(), NOW, SETTINGS)
    equal(step.kind, 'charge')
    if (step.kind !== 'charge') return
    const { segmentNo, periodNo, periodStart, periodEnd, nextAttemptAt } = step.bill
    deepEqual([segmentNo, periodNo, periodStart, periodEnd], [0, 1, '2026-02-28', '2026-03-31'])
    deepEqual(nextAttemptAt, NOW)
    const { nextPeriodNo, nextBillingDate, currentPeriod } = step.after
    deepEqual([nextPeriodNo, nextBillingDate], [2, '2026-03-31'])
    deepEqual(currentPeriod, { start: '2026-02-28', end: '2026-03-31' })
  })
})

describe('A later time of bills (BIL-4, BIL-31)', () => {
  const LATE = { ...SETTINGS, billingRunLocalTime: '18:30' }
  const run = new Date(NOW.getTime() + 18.5 * 3_600_000)
  const stepAt = (now: Date, one = loaded()) => nextStep(one, now, LATE)

  test('opens the bill at the first instant of its day, to be charged at that time', () => {
    const step = stepAt(NOW)
    if (step.kind !== 'open') throw new Error(step.kind)
    deepEqual([step.bill.status, step.bill.nextAttemptAt, step.bill.createdAt], ['PENDING', run, NOW])
    deepEqual(
      [step.after.nextBillingDate, step.after.currentPeriod],
      ['2026-03-31', { start: '2026-02-28', end: '2026-03-31' }],
    )
    const opened = loaded(step.after, { bill: step.bill })
    deepEqual(dueAtOf(opened), run)
    equal(stepAt(new Date(run.getTime() - 1), opened).kind, 'wait')
    equal(stepAt(run, opened).kind, 'charge')
  })

  test('charges at once what is found after it', () => equal(stepAt(run).kind, 'charge'))

  test('does not move the first instant of a scheduled cancel or pause', () => {
    equal(stepAt(NOW, loaded({ cancelAt: NOW })).kind, 'boundary')
    equal(stepAt(NOW, loaded({}, { pause: pauseOf(NOW) })).kind, 'boundary')
  })

  test('of a date that was missed has passed: it is charged at once, the one of today later', () => {
    const weekly = { cadence: { interval: 'week', count: 1 }, startDate: day('2026-02-14') } as const
    const [missed, today] = [day('2026-02-21'), day('2026-02-28')]
    equal(stepAt(NOW, loaded({ ...weekly, nextPeriodNo: 1, nextBillingDate: missed })).kind, 'charge')
    equal(stepAt(NOW, loaded({ ...weekly, nextPeriodNo: 2, nextBillingDate: today })).kind, 'open')
  })
})

describe('When the scheduler looks next', () => {
  const boundary = at('2026-02-10')
  const CASES: [what: string, one: LoadedSubscription, expected: Date | null][] = [
    ['the next date', loaded(), at('2026-02-28')],
    ['the next attempt, before any later date', loaded({}, { bill: billOf() }), NOW],
    ['a scheduled cancel before it', loaded({ cancelAt: boundary }), boundary],
    ['a scheduled pause before it', loaded({}, { pause: pauseOf(boundary) }), boundary],
    ['only a boundary when it is held', loaded({ catchUpHeldAt: NOW, cancelAt: boundary }), boundary],
    ['never when it is held', loaded({ catchUpHeldAt: NOW }), null],
    ['never when it is canceled', loaded({ status: 'canceled' }), null],
  ]
  for (const [what, one, expected] of CASES) test(what, () => deepEqual(dueAtOf(one), expected))

  test('after a lease, unless a boundary is sooner', () => {
    const now = at('2026-02-09')
    deepEqual(dueAgainAt(loaded(), now, 60), new Date(now.getTime() + 60_000))
    deepEqual(dueAgainAt(loaded({ cancelAt: boundary }), now, 200_000), boundary)
    equal(dueAgainAt(loaded({ status: 'canceled' }), now, 60), null)
  })
})

describe('A passed boundary', () => {
  test('takes effect when it was due, the cancel before the pause (SUB-11)', () => {
    const both = loaded({ cancelAt: at('2026-02-28') }, { pause: pauseOf(at('2026-02-28')), bill: billOf() })
    const passed = passBoundary(both, at('2026-03-05'))
    deepEqual(
      [passed?.event, passed?.at, passed?.after.canceledAt],
      ['subscription.cancelled', at('2026-02-28'), at('2026-02-28')],
    )
    deepEqual([passed?.bills[0]?.closedReason, passed?.pauses[0]?.status], ['canceled', 'ended'])
  })

  test('leaves the bill of an open charge open', () => {
    const charging = loaded({ cancelAt: NOW }, { bill: billOf(), isCharging: true })
    deepEqual(passBoundary(charging, NOW)?.bills, [])
  })

  test('of a pause has no paid time left', () => {
    const passed = passBoundary(loaded({}, { pause: pauseOf(NOW) }), at('2026-03-01'))
    const [pause] = passed?.pauses ?? []
    deepEqual([pause?.status, pause?.pausedAt, pause?.remainingPaidSeconds], ['active', NOW, 0])
    deepEqual([passed?.after.status, passed?.after.dueAt], ['paused', null])
  })

  test('is none a second before, nor for one that is not active', () => {
    equal(passBoundary(loaded({ cancelAt: NOW }), new Date(NOW.getTime() - 1)), null)
    equal(passBoundary(loaded({ cancelAt: NOW, status: 'paused' }), NOW), null)
  })
})

describe('Missed dates (BIL-11)', () => {
  const weekly = (today: string, given: Partial<Subscription> = {}, settings = SETTINGS) =>
    isTooMuchMissed(
      loaded({ cadence: { interval: 'week', count: 1 }, startDate: day('2026-03-02'), ...given }),
      at(today),
      settings,
    )
  const monthly = (today: string) => isTooMuchMissed(loaded(), at(today), SETTINGS)

  test('up to three are billed, four are held', () => {
    deepEqual([weekly('2026-03-23'), weekly('2026-03-29'), weekly('2026-03-30')], [false, false, true])
  })

  for (const [missedDatesMax, lastBilled, firstHeld] of [
    [0, '2026-03-09', '2026-03-10'],
    [1, '2026-03-15', '2026-03-16'],
    [12, '2026-05-31', '2026-06-01'],
  ] as const) {
    test(`more than ${missedDatesMax} wait for the merchant, as the business has set it`, () => {
      const settings = { ...SETTINGS, missedDatesMax }
      deepEqual([weekly(lastBilled, {}, settings), weekly(firstHeld, {}, settings)], [false, true])
    })
  }

  test('are none before the day is over, also of a business that wants to be asked about each', () => {
    const asked = { billingRunLocalTime: '23:00', missedDatesMax: 0 }
    const isMissed = (now: Date) => isTooMuchMissed(loaded(), now, asked)
    // The day of the bill runs from 23:00 to 23:00.
    const over = new Date(at('2026-03-01').getTime() + 23 * 3_600_000)
    deepEqual([isMissed(new Date(over.getTime() - 1)), isMissed(over)], [false, true])
  })

  test('of a month or longer are held when one is older than its interval', () => {
    deepEqual([monthly('2026-03-31'), monthly('2026-04-01')], [false, true])
  })

  test('that waited for an open bill are missed like others', () => {
    const waited = { lastPaymentAt: at('2026-03-29'), lastFailedAttemptAt: at('2026-03-29') }
    deepEqual([weekly('2026-03-29', waited), weekly('2026-03-30', waited)], [false, true])
  })

  test('are not held again when the merchant has decided about them, and the dates after them are', () => {
    const decided = (through: string) => weekly('2026-04-13', { catchUpThrough: day(through) })
    deepEqual([decided('2026-03-08'), decided('2026-03-09'), decided('2026-04-13')], [true, false, false])
  })

  test('that waited are skipped if their period is over, and the running one is left (BIL-12)', () => {
    const { after, skipped } = skipElapsed(loaded().subscription, at('2026-05-15'))
    deepEqual(
      skipped.map((bill) => [bill.periodNo, bill.periodStart, bill.status, bill.closedReason]),
      [
        [1, '2026-02-28', 'CLOSED', 'skipped'],
        [2, '2026-03-31', 'CLOSED', 'skipped'],
      ],
    )
    deepEqual([after.nextPeriodNo, after.nextBillingDate], [3, '2026-04-30'])
    equal(openBill({ ...loaded(), subscription: after }, NOW).bill.periodStart, '2026-04-30')
  })
})
