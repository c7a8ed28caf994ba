import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cents } from '../../lib/money.ts'
import { addDays, type Day, instantOf } from './calendar.ts'
import { type CoveringPayment, prepaidTimeAt } from './prepaid.ts'

const RUNS = { numRuns: 1_000, seed: 1 }
const ZONES = ['America/Toronto', 'America/St_Johns', 'Pacific/Auckland', 'Africa/Cairo', 'UTC']
const NOTHING = { remainingSeconds: 0, remainingDays: 0, unusedAmount: 0, suggestedRefund: 0 }

const day = (text: string) => text as Day
const cents = (amount: number) => amount as Cents

interface Period {
  amount?: number
  refunded?: number
  voided?: boolean
  from?: string
  to?: string
  zone?: string
  paidSeconds?: number
}

const { from: FROM, to: TO, zone: ZONE } = { from: '2024-01-01', to: '2024-02-01', zone: 'America/Toronto' }

function paused(
  at: Date | string,
  { amount = 3_100, refunded = 0, from = FROM, to = TO, zone = ZONE, ...rest }: Period = {},
) {
  const covering: CoveringPayment = {
    amount: cents(amount),
    refundedAmount: cents(refunded),
    voided: rest.voided ?? false,
    periodStart: instantOf(day(from), zone),
    periodEnd: instantOf(day(to), zone),
    ...(rest.paidSeconds === undefined ? {} : { paidSeconds: rest.paidSeconds }),
  }
  return prepaidTimeAt({ at: new Date(at), zone, covering })
}

describe('What is left of the paid time at a pause', () => {
  const half = { remainingSeconds: 15.5 * 86_400, remainingDays: 15, unusedAmount: 1_550, suggestedRefund: 1_550 }

  test('is the rest of the period in seconds, whole days and cents (SUB-22 to SUB-24)', () => {
    deepEqual(paused('2024-01-16T17:00:00Z'), half)
  })

  test('is suggested as a refund only as far as it is not refunded yet (SUB-25)', () => {
    deepEqual(paused('2024-01-16T17:00:00Z', { refunded: 2_000 }), { ...half, suggestedRefund: 1_100 })
    deepEqual(paused('2024-01-16T17:00:00Z', { refunded: 1_000 }), half)
    deepEqual(paused('2024-01-16T17:00:00Z', { refunded: 3_100 }), { ...half, suggestedRefund: 0 })
  })

  test('is nothing of a voided payment, of an unpaid period, and at the end', () => {
    deepEqual(paused('2024-01-16T17:00:00Z', { voided: true }), NOTHING)
    deepEqual(prepaidTimeAt({ at: new Date(), zone: 'UTC', covering: null }), NOTHING)
    deepEqual(paused('2024-02-01T05:00:00Z'), NOTHING)
    deepEqual(paused('2024-03-01T05:00:00Z'), NOTHING)
  })

  test('is everything at the beginning, and before a prepaid period begins', () => {
    const all = { remainingSeconds: 31 * 86_400, remainingDays: 31, unusedAmount: 3_100, suggestedRefund: 3_100 }
    deepEqual(paused('2024-01-01T05:00:00Z'), all)
    deepEqual(paused('2023-12-01T12:34:56Z'), all)
  })

  test('counts a second that has begun as left: it adds up with the second of the pause', () => {
    equal(paused('2024-02-01T04:59:59.999Z').remainingSeconds, 1)
    equal(paused('2024-02-01T04:59:59.000Z').remainingSeconds, 1)
    equal(paused('2024-02-01T04:59:58.999Z').remainingSeconds, 2)
  })

  test('counts local days by the clock: a pause during the day does not count that day, whatever its hours', () => {
    const march = { from: '2024-03-01', to: '2024-04-01' }
    equal(paused('2024-03-08T05:00:00Z', march).remainingDays, 24)
    equal(paused('2024-03-08T05:00:01Z', march).remainingDays, 23)
    equal(paused('2024-03-31T04:00:00Z', march).remainingDays, 1)
    equal(paused('2024-03-31T23:00:00Z', march).remainingDays, 0)
  })

  test('counts days that begin at 01:00, where a clock change skips midnight', () => {
    const april = { from: '2024-04-26', to: '2024-05-26', zone: 'Africa/Cairo' }
    equal(paused('2024-04-25T22:00:00Z', april).remainingDays, 30)
    equal(paused('2024-04-25T22:00:01Z', april).remainingDays, 29)
    const march = { from: '2024-03-26', to: '2024-04-26', zone: 'Africa/Cairo' }
    equal(paused('2024-04-20T22:00:00Z', march).remainingDays, 5)
    equal(paused('2024-04-20T22:30:00Z', march).remainingDays, 4)
  })

  test('prorates by real seconds: an hour that a clock change took was never paid for', () => {
    const week = { amount: 60_100, from: '2024-03-08', to: '2024-03-15' }
    equal(paused('2024-03-10T05:00:00Z', week).remainingSeconds, 5 * 86_400 - 3_600)
    equal(paused('2024-03-10T05:00:00Z', week).unusedAmount, Math.round((60_100 * (5 * 24 - 1)) / (7 * 24 - 1)))
  })

  test('of preserved time is measured against the period that was paid', () => {
    const remainder = { from: '2024-06-10', to: '2024-06-20', paidSeconds: 30 * 86_400 }
    equal(paused('2024-06-10T04:00:00Z', { ...remainder, amount: 3_000 }).unusedAmount, 1_000)
    equal(paused('2024-06-15T04:00:00Z', { ...remainder, amount: 3_000 }).unusedAmount, 500)
  })
})

describe('The figures of a pause', () => {
  const period = fc.record({
    amount: fc.integer({ min: 1, max: 99_999_999 }),
    refunded: fc.double({ min: 0, max: 1, noNaN: true }),
    start: fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(day('2015-01-01'), days)),
    days: fc.integer({ min: 1, max: 366 }),
    zone: fc.constantFrom(...ZONES),
  })

  test('keep their bounds, and never grow with a later pause', () => {
    fc.assert(
      fc.property(
        period,
        fc.nat(40_000_000),
        fc.nat(100_000),
        ({ amount, refunded: share, start, days, zone }, after, later) => {
          const refunded = Math.floor(amount * share)
          const to = addDays(start, days)
          const begins = instantOf(start, zone).getTime()
          const length = (instantOf(to, zone).getTime() - begins) / 1_000
          const at = (seconds: number) =>
            paused(new Date(begins + seconds * 1_000), { amount, refunded, from: start, to, zone })
          const [first, second] = [at(after), at(after + later)]
          equal(first.remainingSeconds, Math.max(0, length - after))
          ok(first.remainingDays >= 0 && first.remainingDays <= days)
          ok(first.remainingDays * 86_400 <= first.remainingSeconds + 3_600)
          ok(0 <= first.suggestedRefund && first.suggestedRefund <= first.unusedAmount && first.unusedAmount <= amount)
          ok(first.suggestedRefund <= amount - refunded)
          ok(second.unusedAmount <= first.unusedAmount)
          ok(second.suggestedRefund <= first.suggestedRefund)
          ok(second.remainingDays <= first.remainingDays)
          deepEqual([at(0).unusedAmount, at(0).remainingDays, at(length).unusedAmount], [amount, days, 0])
        },
      ),
      RUNS,
    )
  })

  test('round the unused amount half up from its exact value', () => {
    fc.assert(
      fc.property(period, fc.double({ min: 0, max: 1, noNaN: true }), ({ amount, start, days, zone }, share) => {
        const to = addDays(start, days)
        const begins = instantOf(start, zone).getTime()
        const length = (instantOf(to, zone).getTime() - begins) / 1_000
        const used = Math.floor(length * share)
        const { unusedAmount } = paused(new Date(begins + used * 1_000), { amount, from: start, to, zone })
        const [exact, divisor] = [BigInt(amount) * BigInt(length - used), BigInt(length)]
        const up = (exact % divisor) * 2n >= divisor ? 1n : 0n
        equal(BigInt(unusedAmount), exact / divisor + up)
      }),
      RUNS,
    )
  })
})
