import { addSeconds } from '../../lib/clock.ts'
import { instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'

/**
 * Returns when the scheduler must look at the subscription next: the next bill or attempt, or a scheduled cancel or
 * pause.
 *
 * @returns `null` if nothing is scheduled
 */
export function dueAtOf({ subscription, bill, pause }: Omit<LoadedSubscription, 'isCharging'>): Date | null {
  const { status, catchUpHeldAt, nextBillingDate, timeZone } = subscription
  if (status !== 'active') return null
  const boundary = boundaryOf({ subscription, pause })
  if (catchUpHeldAt !== null) return boundary
  // While a bill is open, the next date has to wait (BIL-12).
  if (bill) return earliest(boundary, bill.nextAttemptAt)
  return earliest(boundary, nextBillingDate && instantOf(nextBillingDate, timeZone))
}

/**
 * Returns the subscription with a new `dueAt` after a cancel or pause was scheduled or taken back. While a charge is
 * open, `dueAt` is its original due time or the time of the scheduler's next look, unless the boundary comes first.
 */
export function rescheduled({ isCharging, ...loaded }: LoadedSubscription): Subscription {
  const { subscription } = loaded
  return { ...subscription, dueAt: isCharging ? earliest(boundaryOf(loaded), subscription.dueAt) : dueAtOf(loaded) }
}

/**
 * Returns when the scheduler looks at the subscription again though nothing new falls due: after `seconds`, or at an
 * earlier boundary.
 */
export function dueAgainAt(loaded: Omit<LoadedSubscription, 'isCharging'>, now: Date, seconds: number): Date | null {
  return loaded.subscription.status === 'active' ? earliest(boundaryOf(loaded), addSeconds(now, seconds)) : null
}

function boundaryOf({ subscription, pause }: Pick<LoadedSubscription, 'subscription' | 'pause'>): Date | null {
  return earliest(subscription.cancelAt, pause?.status === 'pending' ? pause.scheduledFor : null)
}

function earliest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one <= other ? one : other
}
