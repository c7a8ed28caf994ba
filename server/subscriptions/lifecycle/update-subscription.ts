import type { SubscriptionUpdate } from '../../../contract/subscription.ts'
import { invalidField } from '../../lib/errors.ts'
import type { LoadedSubscription } from '../subscription.ts'
import type { LifecycleServices, WhichSubscription } from './change-subscription.ts'
import { replaceCard } from './replace-card.ts'
import { scheduleCancel } from './schedule-cancel.ts'

/**
 * Schedules or takes back a cancel, or replaces the card; only one of the two, because each is a separate change.
 *
 * @throws ApiError `validation_failed`, `not_found`, `conflict`
 */
export async function updateSubscription(
  services: LifecycleServices,
  { body, ...which }: WhichSubscription & { body: SubscriptionUpdate },
): Promise<LoadedSubscription> {
  const { cancel_at_period_end: atPeriodEnd, payment_method: cardId, cancellation_details: details } = body
  if (cardId !== undefined) {
    if (atPeriodEnd !== undefined)
      throw invalidField('payment_method', 'must be sent without cancel_at_period_end: they are two changes')
    return replaceCard(services, { ...which, cardId })
  }
  if (atPeriodEnd === undefined) throw invalidField('cancel_at_period_end', 'is required, or payment_method')
  return scheduleCancel(services, { ...which, atPeriodEnd, comment: details?.comment })
}
