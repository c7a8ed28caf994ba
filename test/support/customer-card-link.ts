import { findBusiness } from '../../server/businesses/business-queries.ts'
import { requestCard } from '../../server/checkout/sessions/request-card.ts'
import type { TestService } from './service.ts'

/** A link on which a customer stores a card, as the merchant gives it to them. */
export async function cardLinkOf(
  { app, demo }: Pick<TestService, 'app' | 'demo'>,
  customerId: string,
): Promise<string> {
  const business = await findBusiness(app.services.db, demo.business_id)
  if (!business) throw new Error('the business of the demo is missing')
  return (await requestCard(app.services, { business, customerId, byLetter: false })).url
}
