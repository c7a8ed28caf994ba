import type { LoadedSubscription } from '../subscription.ts'
import { requireCancelable } from './cancelable.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from './change-subscription.ts'
import { canceled } from './end-billing.ts'

/**
 * Cancels a subscription at once. The outcome of an open charge is still recorded.
 *
 * @throws ApiError `not_found`; `conflict` if the subscription has ended
 * @see SUB-12
 */
export function cancelSubscription(
  services: LifecycleServices,
  { reason = null, ...which }: WhichSubscription & { reason?: string | null | undefined },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, (loaded, now): Transition => {
    requireCancelable(loaded.subscription, 'now')
    return { ...canceled(loaded, { at: now, reason }), event: 'subscription.cancelled' }
  })
}
