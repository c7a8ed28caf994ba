import type { Business } from '../../businesses/business.ts'
import { newId } from '../../lib/ids.ts'
import type { Bill, BillClosedReason } from '../bill.ts'
import type { Pause } from '../pause.ts'
import { dayOf, instantOf, timeOn } from '../plan/calendar.ts'
import { nextAttemptDay } from '../plan/retries.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'
import { dueAgainAt, dueAtOf } from './due.ts'
import { canceled, closedBill, type Ending, paused } from './end-billing.ts'
import { skipElapsed } from './open-bill.ts'

/**
 * Applies an approval in any status: a cancel or pause while the charge was open does not undo it.
 *
 * @param now in the business's time
 * @see BIL-25, SUB-10, SUB-13
 */
export function approvedBill(
  { subscription, bill, pause }: LoadedSubscription & { bill: Bill },
  { paymentId, now }: { paymentId: string; now: Date },
): Ending & { isCompleted: boolean } {
  const fulfilled: Bill = {
    ...bill,
    status: 'FULFILLED',
    closedReason: null,
    nextAttemptAt: null,
    paymentId,
    closedAt: now,
  }
  const billed = paidFor(subscription, bill, { paymentId, now })
  const isCompleted = billed.paidBills === billed.installments && billed.status !== 'canceled'
  if (isCompleted) {
    const ended = { status: 'completed' as const, endedAt: now, nextBillingDate: null, dueAt: null }
    return {
      after: { ...billed, ...ended, cancelAt: null },
      bills: [fulfilled],
      pauses: pause ? [{ ...pause, status: 'ended' }] : [],
      isCompleted,
    }
  }
  const after = { ...billed, dueAt: dueAtOf({ subscription: billed, bill: null, pause }) }
  return { after, bills: [fulfilled], pauses: [], isCompleted }
}

/** Returns the subscription with one more bill paid. */
export function paidFor(
  subscription: Subscription,
  { periodStart, periodEnd }: Pick<Bill, 'periodStart' | 'periodEnd'>,
  { paymentId, now }: { paymentId: string; now: Date },
): Subscription {
  const from = instantOf(periodStart, subscription.timeZone)
  const throughAt = instantOf(periodEnd, subscription.timeZone)
  return {
    ...subscription,
    paidBills: subscription.paidBills + 1,
    lastPaymentAt: now,
    latestPaymentId: paymentId,
    paid: { paymentId, from, throughAt, seconds: (throughAt.getTime() - from.getTime()) / 1000 },
  }
}

/** Consequences of a decline. */
export interface DeclinedBill extends Ending {
  bill: Bill
  /** Time of the next attempt; `null` if none follows. */
  nextRetryAt: Date | null
  isExhausted: boolean
  event: 'subscription.paused' | 'subscription.cancelled' | null
}

/**
 * Applies a declined attempt: schedules another one three local days later at the time of bills, or ends the bill.
 *
 * @param attempt `neverAgain` means that the card networks forbid another attempt with this card
 * @see BIL-17, BIL-20, BIL-23
 */
export function declinedBill(
  loaded: LoadedSubscription & { bill: Bill },
  attempt: { neverAgain: boolean; paymentId: string; now: Date },
  { afterLastRetry, billingRunLocalTime }: Pick<Business, 'afterLastRetry' | 'billingRunLocalTime'>,
): DeclinedBill {
  const { subscription, pause } = loaded
  const { now, paymentId } = attempt
  const failedAttempts = loaded.bill.failedAttempts + 1
  const tried = { ...loaded.bill, failedAttempts }
  const failed = { ...subscription, lastFailedAttemptAt: now, latestPaymentId: paymentId }
  const ended = { ...loaded, subscription: failed }
  if (subscription.status !== 'active') {
    const bill = closedBill(tried, subscription.status === 'paused' ? 'paused' : 'canceled', now)
    return { after: failed, bill, bills: [bill], pauses: [], nextRetryAt: null, isExhausted: false, event: null }
  }
  if (attempt.neverAgain) return endUnpaid(ended, tried, 'do_not_retry', { now, afterLastRetry })
  const attemptedAt = loaded.bill.lastAttemptAt ?? now
  const day = nextAttemptDay(dayOf(attemptedAt, subscription.timeZone), failedAttempts)
  if (day === null) return endUnpaid(ended, tried, 'exhausted', { now, afterLastRetry })
  const nextRetryAt = timeOn(day, billingRunLocalTime, subscription.timeZone)
  const bill = { ...tried, nextAttemptAt: nextRetryAt }
  const after = { ...failed, dueAt: dueAtOf({ subscription: failed, bill, pause }) }
  return { after, bill, bills: [bill], pauses: [], nextRetryAt, isExhausted: false, event: null }
}

const SOON_SECONDS = { min: 300, max: 21_600 }

/** Returns the delay in seconds before something overdue is tried again; it grows with the time overdue. */
export function soonAfter(plannedAt: Date, now: Date): number {
  const seconds = (now.getTime() - plannedAt.getTime()) / 2_000
  return Math.min(Math.max(seconds, SOON_SECONDS.min), SOON_SECONDS.max)
}

/**
 * Applies a charge that took no money and does not count as an attempt: the bill is charged again soon, or closed if
 * the subscription has ended or been paused meanwhile.
 *
 * @see BIL-21
 */
export function unchargedBill({ subscription, bill, pause }: LoadedSubscription & { bill: Bill }, now: Date): Ending {
  if (subscription.status !== 'active') {
    const closed = closedBill(bill, subscription.status === 'paused' ? 'paused' : 'canceled', now)
    return { after: subscription, bills: [closed], pauses: [] }
  }
  const seconds = soonAfter(bill.nextAttemptAt ?? now, now)
  return {
    after: { ...subscription, dueAt: dueAgainAt({ subscription, bill, pause }, now, seconds) },
    bills: [],
    pauses: [],
  }
}

/** Ends a bill unpaid, and applies the business's setting for the time after the last attempt. */
export function endUnpaid(
  loaded: LoadedSubscription,
  bill: Bill,
  reason: Extract<BillClosedReason, 'exhausted' | 'do_not_retry' | 'card_detached'>,
  { now, afterLastRetry }: { now: Date } & Pick<Business, 'afterLastRetry'>,
): DeclinedBill {
  const closed = closedBill(bill, reason, now)
  const shared = { bill: closed, nextRetryAt: null, isExhausted: reason === 'exhausted' }
  const free = { ...loaded, bill: null, isCharging: false }
  if (afterLastRetry === 'cancel') {
    const { after, pauses } = canceled(free, { at: now, reason: 'payment_failed' })
    return { ...shared, after, bills: [closed], pauses, event: 'subscription.cancelled' }
  }
  if (afterLastRetry === 'pause' && loaded.pause === null) {
    const { after, pauses } = paused(free, pauseForFailure(loaded.subscription, now), now)
    return { ...shared, after, bills: [closed], pauses, event: 'subscription.paused' }
  }
  const { after, skipped } = skipElapsed(loaded.subscription, now)
  const dueAt = dueAtOf({ subscription: after, bill: null, pause: loaded.pause })
  return { ...shared, after: { ...after, dueAt }, bills: [closed, ...skipped], pauses: [], event: null }
}

/** Returns a pause without paid time, because the running period is unpaid. */
function pauseForFailure({ paid }: Subscription, now: Date): Pause {
  return {
    id: newId(),
    status: 'active',
    mode: 'immediate',
    reason: 'payment_failed',
    unusedTimeBehavior: null,
    scheduledFor: null,
    pausedAt: now,
    paidThroughAt: paid?.throughAt ?? null,
    remainingPaidSeconds: 0,
    refundConfirmed: false,
    refundReference: null,
    refundNote: null,
    resumeMode: null,
    resumedAt: null,
    createdAt: now,
  }
}
