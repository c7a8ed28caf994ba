import type { Bill, BillClosedReason } from '../bill.ts'
import type { Pause } from '../pause.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'

/** Parts of a change, without its events. */
export interface Ending {
  after: Subscription
  bills: Bill[]
  pauses: Pause[]
}

/** Returns a subscription as a change leaves it. */
export function changedTo(before: LoadedSubscription, { after, bills, pauses }: Ending): LoadedSubscription {
  const isClosed = bills.some(({ id }) => id === before.bill?.id)
  const isResolved = pauses.some(({ id }) => id === before.pause?.id)
  return {
    ...before,
    subscription: { ...after, version: before.subscription.version + 1 },
    bill: bills.findLast(({ status }) => status === 'PENDING') ?? (isClosed ? null : before.bill),
    pause:
      pauses.findLast(({ status }) => status === 'pending' || status === 'active') ??
      (isResolved ? null : before.pause),
  }
}

/**
 * Cancels a subscription. No further charge is sent; the outcome of an open one is still recorded, and its bill stays
 * open until then.
 *
 * @param at when the cancel takes effect: now, or the boundary of a scheduled cancel
 * @see SUB-12
 */
export function canceled(
  { subscription, bill, pause, isCharging }: LoadedSubscription,
  { at, reason, comment }: { at: Date; reason?: string | null; comment?: string | null },
): Ending {
  const { cancellationReason, cancellationComment } = subscription
  return {
    after: {
      ...subscription,
      ...NO_BILLING,
      status: 'canceled',
      canceledAt: at,
      endedAt: at,
      cancellationReason: reason ?? cancellationReason,
      cancellationComment: comment ?? cancellationComment,
    },
    bills: bill && !isCharging ? [closedBill(bill, 'canceled', at)] : [],
    pauses: pause ? [{ ...pause, status: 'ended' }] : [],
  }
}

/** Pauses a subscription: billing stops, and what fell due is never collected (SUB-18). */
export function paused({ subscription, bill, isCharging }: LoadedSubscription, pause: Pause, at: Date): Ending {
  return {
    after: { ...subscription, ...NO_BILLING, status: 'paused' },
    bills: bill && !isCharging ? [closedBill(bill, 'paused', at)] : [],
    pauses: [{ ...pause, status: 'active', pausedAt: at }],
  }
}

const NO_BILLING = { nextBillingDate: null, dueAt: null, catchUpHeldAt: null }

export function closedBill(bill: Bill, reason: BillClosedReason, at: Date): Bill {
  return { ...bill, status: 'CLOSED', closedReason: reason, nextAttemptAt: null, closedAt: at }
}
