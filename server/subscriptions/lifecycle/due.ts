import { addSeconds } from '../../lib/clock.ts'
import { instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'

/**
 * When the scheduler must look at the subscription next: the next bill or attempt, or a scheduled cancel or pause.
 *
 * @returns `null` when nothing is to come
 */
export function dueAtOf({ subscription, bill, pause }: Omit<LoadedSubscription, 'isCharging'>): Date | null {
  const { status, catchUpHeldAt, nextBillingDate, timeZone } = subscription
  if (status !== 'active') return null
  const boundary = boundaryOf({ subscription, pause })
  if (catchUpHeldAt !== null) return boundary
  // While a bill is open, the next date waits for it (BIL-12).
  if (bill) return earliest(boundary, bill.nextAttemptAt)
  return earliest(boundary, nextBillingDate && instantOf(nextBillingDate, timeZone))
}

/**
 * The subscription when a cancel or pause is scheduled or taken back. While a charge runs, `dueAt` is the
 * time it was due for, or when the scheduler looks at it again.
 */
export function rescheduled({ isCharging, ...loaded }: LoadedSubscription): Subscription {
  const { subscription } = loaded
  return { ...subscription, dueAt: isCharging ? earliest(boundaryOf(loaded), subscription.dueAt) : dueAtOf(loaded) }
}

/**
 * When the scheduler must look at it again though nothing new falls due: in so many seconds, or at a boundary before.
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
