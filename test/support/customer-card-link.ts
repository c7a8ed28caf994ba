import { businessNow } from '../../server/businesses/business.ts'
import { newCustomerCardLink } from '../../server/checkout/sessions/customer-card-link.ts'
import { insertCustomerCardLinks } from '../../server/checkout/sessions/customer-card-link-queries.ts'
import { requestCard } from '../../server/checkout/sessions/request-card.ts'
import { transaction } from '../../server/db/transaction.ts'
import { businessOf } from './business-of.ts'
import type { TestService } from './service.ts'
import { signedUp } from './sign-up.ts'

type Service = Pick<TestService, 'app' | 'demo'>

/** Returns a link on which a customer stores a card, as the merchant passes it on. */
export async function cardLinkOf(service: Service, customerId: string): Promise<string> {
  const { services } = service.app
  return (await requestCard(services, { business: await businessOf(service), customerId, byLetter: false })).url
}

/** Returns a link on which the customer of a subscription enters a different card for it. */
export async function replacementLinkOf(service: Service, subscriptionId: string): Promise<string> {
  const { db, clock, customerCardLink } = service.app.services
  const { customerId, businessId } = (await signedUp(service, subscriptionId)).subscription
  const now = businessNow(clock, await businessOf(service))
  const link = newCustomerCardLink({ businessId, customerId, subscriptionId }, now)
  await transaction(db, (tx) => insertCustomerCardLinks(tx, [link]))
  return customerCardLink(link)
}
