import { type Business, businessNow } from '../../businesses/business.ts'
import { noSuchCustomer } from '../../customers/customer.ts'
import { findRecipient } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import { newNotification } from '../../events/notification.ts'
import { recordNotification } from '../../events/notification-queries.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { type CustomerCardLinkUrl, newCustomerCardLink } from './customer-card-link.ts'
import { insertCustomerCardLinks } from './customer-card-link-queries.ts'

interface RequestServices {
  db: Db
  clock: Clock
  customerCardLink: CustomerCardLinkUrl
  letterLimit: LetterLimit
}

interface CardRequest {
  business: Business
  customerId: string
  /** Whether the link is e-mailed; otherwise the merchant gives it to the customer. */
  byLetter: boolean
}

/**
 * Asks a customer to store a card, with a new link that is valid for 30 days. Links of earlier requests stay unchanged.
 *
 * @returns the link, its expiry, and the address to which it is e-mailed
 * @throws ApiError `not_found`; `conflict` if the customer has no e-mail address; `rate_limited`
 * @see CHK-60, LTR-7
 */
export async function requestCard(
  { db, clock, customerCardLink, letterLimit }: RequestServices,
  { business, customerId, byLetter }: CardRequest,
): Promise<{ url: string; expiresAt: Date; letterTo: string | null }> {
  const { id: businessId } = business
  const customer = await findRecipient(db, businessId, customerId)
  if (!customer) throw noSuchCustomer()
  const email = byLetter ? customer.email : null
  if (byLetter && email === null)
    throw new ApiError('conflict', { message: 'The customer has no e-mail address. Give them the link yourself.' })
  const link = newCustomerCardLink({ businessId, customerId, subscriptionId: null }, businessNow(clock, business))
  const { id: linkId, createdAt, expiresAt } = link
  const data = { customer_id: customerId, link_id: linkId }
  await transaction(db, async (tx) => {
    await insertCustomerCardLinks(tx, [link])
    if (email === null) return
    await letterLimit.require(tx, { businessId, recipient: email })
    await recordNotification(tx, newNotification({ businessId, type: 'customer.card_request', data, createdAt }))
  })
  return { url: customerCardLink(link), expiresAt, letterTo: email }
}
