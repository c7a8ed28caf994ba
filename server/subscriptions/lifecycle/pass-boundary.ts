import type { LoadedSubscription } from '../subscription.ts'
import { canceled, type Ending, paused } from './end-billing.ts'

export interface PassedBoundary extends Ending {
  event: 'subscription.cancelled' | 'subscription.paused'
  /** When the boundary took effect, possibly before the scheduler got to it. */
  at: Date
}

/**
 * Applies a scheduled cancel or pause whose time has come: the cancel before the pause, both before billing, so that
 * nothing is charged on the day they take effect.
 *
 * @returns `null` if no boundary has passed
 * @see SUB-11
 */
export function passBoundary(loaded: LoadedSubscription, now: Date): PassedBoundary | null {
  const { subscription, pause } = loaded
  if (subscription.status !== 'active') return null
  const { cancelAt } = subscription
  if (cancelAt !== null && cancelAt <= now)
    return { ...canceled(loaded, { at: cancelAt }), event: 'subscription.cancelled', at: cancelAt }
  const pauseAt = pause?.status === 'pending' ? pause.scheduledFor : null
  if (pause && pauseAt !== null && pauseAt <= now) {
    const taken = { ...pause, paidThroughAt: subscription.paid?.throughAt ?? null, remainingPaidSeconds: 0 }
    return { ...paused(loaded, taken, pauseAt), event: 'subscription.paused', at: pauseAt }
  }
  return null
}
