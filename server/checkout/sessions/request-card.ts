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
import type { CustomerCardLink } from './customer-card-link.ts'

interface RequestServices {
  db: Db
  clock: Clock
  customerCardLink: CustomerCardLink
  letterLimit: LetterLimit
}

interface CardRequest {
  business: Business
  customerId: string
  /** By letter; otherwise the merchant gives the customer the link. */
  byLetter: boolean
}

/**
 * Asks a customer to store a card.
 *
 * @returns the link, and the address that the letter goes to
 * @throws ApiError `not_found`; `conflict` when there is no address for the letter; `rate_limited`
 * @see CHK-60, LTR-7
 */
export async function requestCard(
  { db, clock, customerCardLink, letterLimit }: RequestServices,
  { business, customerId, byLetter }: CardRequest,
): Promise<{ url: string; letterTo: string | null }> {
  const { id: businessId } = business
  const customer = await findRecipient(db, businessId, customerId)
  if (!customer) throw noSuchCustomer()
  const url = customerCardLink({ businessId, id: customerId })
  if (!byLetter) return { url, letterTo: null }
  if (customer.email === null)
    throw new ApiError('conflict', { message: 'The customer has no e-mail address. Give them the link yourself.' })
  const data = { customer_id: customerId }
  const createdAt = businessNow(clock, business)
  const notification = newNotification({ businessId, type: 'customer.card_request', data, createdAt })
  const { email } = customer
  await transaction(db, async (tx) => {
    await letterLimit.require(tx, { businessId, recipient: email })
    await recordNotification(tx, notification)
  })
  return { url, letterTo: email }
}
