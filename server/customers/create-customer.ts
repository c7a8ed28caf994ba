import type { CustomerCreate } from '../../contract/customer.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type Customer, requireNamed } from './customer.ts'
import { findOrInsertCustomer } from './customer-queries.ts'

/**
 * Creates a customer. If a customer with this email exists, ignoring case, that customer is returned unchanged, even
 * for concurrent requests.
 *
 * @throws ApiError `validation_failed`
 * @see CUS-14
 */
export async function createCustomer(
  { db, clock }: { db: Db; clock: Clock },
  { business, input }: { business: Business; input: CustomerCreate },
): Promise<{ customer: Customer; created: boolean }> {
  requireNamed(input)
  const { name = null, email = null, phone = null, metadata = {} } = input
  const createdAt = businessNow(clock, business)
  return findOrInsertCustomer(db, { businessId: business.id, id: newId(), name, email, phone, metadata, createdAt })
}
