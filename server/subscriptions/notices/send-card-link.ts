import { businessNow } from '../../businesses/business.ts'
import { findRecipient } from '../../customers/customer-queries.ts'
import { transaction } from '../../db/transaction.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import { newNotification } from '../../events/notification.ts'
import { recordNotification } from '../../events/notification-queries.ts'
import {
  type LifecycleServices,
  readCurrentSubscription,
  type WhichSubscription,
} from '../lifecycle/change-subscription.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'

/**
 * E-mails the customer a link to enter a card, whether the first one or a replacement.
 *
 * @throws ApiError `not_found`; `conflict` if nothing is charged anymore, or the customer has no e-mail address;
 *   `rate_limited`
 * @see LTR-7, SUB-41, SUB-48
 */
export async function sendCardLink(
  services: LifecycleServices & { letterLimit: LetterLimit },
  { business, id }: WhichSubscription,
): Promise<LoadedSubscription> {
  const loaded = await readCurrentSubscription(services, { business, id })
  const { status, customerId } = loaded.subscription
  if (status === 'canceled' || status === 'completed')
    throw conflict(`The subscription is ${status}. It needs no card any more.`)
  const customer = await findRecipient(services.db, business.id, customerId)
  const recipient = customer?.email
  if (!recipient) throw conflict('The customer has no e-mail address. Give them the link yourself.')
  const notification = newNotification({
    businessId: business.id,
    type: 'subscription.card_link',
    data: { subscription_id: id },
    createdAt: businessNow(services.clock, business),
  })
  await transaction(services.db, async (tx) => {
    await services.letterLimit.require(tx, { businessId: business.id, recipient })
    await recordNotification(tx, notification)
  })
  return loaded
}
