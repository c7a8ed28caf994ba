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
 * Cancels at once. A charge that is open is still recorded.
 *
 * @throws ApiError `not_found`; `conflict` when it has ended
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
