import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { subscriptionOf } from '../../../test/support/subscription-of.ts'
import { newId } from '../../lib/ids.ts'
import type { Cents } from '../../lib/money.ts'
import { changedTo, paused } from '../lifecycle/end-billing.ts'
import type { Pause } from '../pause.ts'
import { addDays, type Day, instantOf } from '../plan/calendar.ts'
import { prepaidTimeAt } from '../plan/prepaid.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'
import { type Anchor, offerResume } from './resumable.ts'
import { resumedFree } from './resumed.ts'

const RUNS = { numRuns: 2_000, seed: 1 }
const ZONES = ['America/Toronto', 'America/St_Johns', 'Pacific/Auckland', 'Africa/Cairo', 'Asia/Kolkata', 'UTC']
const ROUNDED_SECONDS = 25 * 3_600
const AMOUNT = 60_000 as Cents

interface Step {
  /** Seconds of service before the pause, and seconds of the pause. */
  served: number
  away: number
  anchor: Anchor
}

interface Life {
  zone: string
  start: Day
  days: number
  refunded: number
  steps: Step[]
}

/** Many pauses are very short, and many begin or end within a second of a midnight. */
const seconds = (most: number) =>
  fc.oneof(fc.constantFrom(0, 1, 2, 86_399, 86_400, 86_401), fc.nat(120), fc.nat(3 * 86_400), fc.nat(most))

const step = fc.record({
  served: seconds(40 * 86_400),
  away: seconds(400 * 86_400),
  anchor: fc.constantFrom<Anchor>('now', 'now', 'now', 'unchanged'),
})

const life: fc.Arbitrary<Life> = fc.record({
  zone: fc.constantFrom(...ZONES),
  start: fc.nat(4_000).map((days) => addDays('2020-01-01' as Day, days)),
  days: fc.constantFrom(1, 7, 14, 31, 92, 365),
  refunded: fc.nat(AMOUNT),
  steps: fc.array(step, { minLength: 1, maxLength: 40 }),
})

function paidPeriod({ zone, start, days }: Life): LoadedSubscription {
  const [from, end] = [instantOf(start, zone), addDays(start, days)]
  const throughAt = instantOf(end, zone)
  const subscription = subscriptionOf({
    timeZone: zone,
    cadence: { interval: 'day', count: days },
    startDate: start,
    anchorDate: start,
    amount: AMOUNT,
    nextPeriodNo: 1,
    nextBillingDate: end,
    currentPeriod: { start, end },
    paid: { paymentId: newId(), from, throughAt, seconds: secondsFrom(from, throughAt) },
  })
  return { subscription, bill: null, pause: null, isCharging: false }
}

const secondsFrom = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1_000

function leftAt({ paid, timeZone: zone }: Subscription, at: Date, refunded: number) {
  if (paid === null) throw new Error('nothing is paid')
  const { from: periodStart, throughAt: periodEnd, seconds: paidSeconds } = paid
  const covering = {
    amount: AMOUNT,
    refundedAmount: refunded as Cents,
    voided: false,
    periodStart,
    periodEnd,
    paidSeconds,
  }
  return prepaidTimeAt({ at, zone, covering })
}

function pausedAt(loaded: LoadedSubscription, at: Date, remainingPaidSeconds: number): LoadedSubscription {
  const pause: Pause = {
    id: newId(),
    status: 'active',
    mode: 'immediate',
    reason: null,
    unusedTimeBehavior: 'preserve_time',
    scheduledFor: null,
    pausedAt: at,
    paidThroughAt: loaded.subscription.paid?.throughAt ?? null,
    remainingPaidSeconds,
    refundConfirmed: false,
    refundReference: null,
    refundNote: null,
    resumeMode: null,
    resumedAt: null,
    createdAt: at,
  }
  return changedTo(loaded, paused(loaded, pause, at))
}

/** Runs pauses and resumes until the next bill is due, or no paid time is left to preserve. */
function assertNothingIsGiven(given: Life): void {
  let loaded = paidPeriod(given)
  const length = loaded.subscription.paid?.seconds ?? 0
  let now = instantOf(given.start, given.zone)
  let served = 0
  for (const { served: wanted, away, anchor } of given.steps) {
    const untilBill = secondsFrom(now, instantOf(loaded.subscription.nextBillingDate ?? given.start, given.zone))
    ok(served + untilBill <= length + ROUNDED_SECONDS, `${served} s served, the next bill is ${untilBill} s away`)
    if (wanted >= untilBill) return
    served += wanted
    now = new Date(now.getTime() + wanted * 1_000)
    const { remainingSeconds, unusedAmount, suggestedRefund } = leftAt(loaded.subscription, now, given.refunded)
    ok(served + remainingSeconds <= length + ROUNDED_SECONDS, `${served} s served, ${remainingSeconds} s remain`)
    ok(unusedAmount * length <= AMOUNT * remainingSeconds + length / 2, `${unusedAmount} for ${remainingSeconds} s`)
    ok(suggestedRefund <= Math.min(unusedAmount, AMOUNT - given.refunded))
    if (remainingSeconds === 0) return
    loaded = pausedAt(loaded, now, remainingSeconds)
    now = new Date(now.getTime() + away * 1_000)
    const offer = offerResume(loaded, anchor, now)
    equal(offer.terms.chargeDueToday, 0)
    loaded = changedTo(loaded, resumedFree(offer, now))
    // After the paid time a resume returns to the schedule, whose days up to the next bill are free (SUB-29).
    if (anchor === 'unchanged' && leftAt(loaded.subscription, now, 0).remainingSeconds === 0) return
  }
}

describe('Pauses and resumes within one paid period', () => {
  test('SUB-22, SUB-26: give less than a day in all, and never suggest to refund more than is left', () => {
    fc.assert(fc.property(life, assertNothingIsGiven), RUNS)
  })

  test('SUB-26: a pause of a second a day does not put the bill off', () => {
    const given = { zone: 'America/Toronto', start: '2026-06-01' as Day, days: 30, refunded: 0 }
    let loaded = paidPeriod({ ...given, steps: [] })
    let now = instantOf(given.start, given.zone)
    for (let day = 0; day < 29; day += 1) {
      now = new Date(now.getTime() + 86_399_000)
      const { remainingSeconds } = leftAt(loaded.subscription, now, 0)
      loaded = pausedAt(loaded, now, remainingSeconds)
      now = new Date(now.getTime() + 1_000)
      loaded = changedTo(loaded, resumedFree(offerResume(loaded, 'now', now), now))
    }
    equal(loaded.subscription.nextBillingDate, '2026-07-02')
    equal(leftAt(loaded.subscription, now, 0).unusedAmount, 2_001)
  })
})
