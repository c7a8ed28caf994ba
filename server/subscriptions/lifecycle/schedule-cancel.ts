import { instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { requireCancelable } from './cancelable.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from './change-subscription.ts'
import { rescheduled } from './due.ts'
import { endOfRunningPeriod } from './running-period.ts'

/**
 * Schedules a cancel for the end of the running period, or takes it back. Repeated calls change nothing.
 *
 * @throws ApiError `not_found`; `conflict` unless the subscription is active
 * @see SUB-12
 */
export function scheduleCancel(
  services: LifecycleServices,
  {
    atPeriodEnd,
    comment = null,
    ...which
  }: WhichSubscription & { atPeriodEnd: boolean; comment?: string | null | undefined },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, (loaded, now) => {
    requireCancelable(loaded.subscription, 'period_end')
    const { cancelAt } = loaded.subscription
    if (atPeriodEnd === (cancelAt !== null)) return null
    return atPeriodEnd ? scheduled(loaded, now, comment) : unscheduled(loaded)
  })
}

/** Schedules the cancel and clears a scheduled pause, which would never take effect. */
function scheduled(loaded: LoadedSubscription, now: Date, comment: string | null): Transition {
  const { subscription, pause } = loaded
  const cancelAt = instantOf(endOfRunningPeriod(subscription, now), subscription.timeZone)
  const after = { ...subscription, cancelAt, cancellationComment: comment }
  return {
    after: rescheduled({ ...loaded, subscription: after, pause: null }),
    bills: [],
    pauses: pause ? [{ ...pause, status: 'canceled' }] : [],
    event: 'subscription.cancel_scheduled',
  }
}

function unscheduled(loaded: LoadedSubscription): Transition {
  const after = { ...loaded.subscription, cancelAt: null, cancellationComment: null }
  return {
    after: rescheduled({ ...loaded, subscription: after }),
    bills: [],
    pauses: [],
    event: 'subscription.cancel_undone',
  }
}
