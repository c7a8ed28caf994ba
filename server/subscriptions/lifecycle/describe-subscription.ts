import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '../../../contract/formats.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { changeSubscription, type LifecycleServices, type WhichSubscription } from './change-subscription.ts'

/**
 * Replaces the metadata. Billing does not change.
 *
 * @throws ApiError `not_found`
 */
export function describeSubscription(
  services: LifecycleServices,
  { metadata, ...which }: WhichSubscription & { metadata: Metadata },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, ({ subscription }) => {
    if (isDeepStrictEqual(subscription.metadata, metadata)) return null
    return { after: { ...subscription, metadata }, bills: [], pauses: [], event: 'subscription.updated' }
  })
}
