import type { CustomerUpdate } from '../../contract/customer.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { violatedConstraint } from '../db/database-errors.ts'
import { transaction } from '../db/transaction.ts'
import { changeEvent } from '../events/change-event.ts'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { type Customer, customerObject, noSuchCustomer, requireNamed } from './customer.ts'
import { lockCustomer, updateCustomer } from './customer-queries.ts'

/** Name of the unique index on the e-mail address. */
const EMAIL_TAKEN = 'customer_email_once'

/**
 * Changes the given fields of a customer. A change without effect records no event.
 *
 * @throws ApiError `not_found`; `validation_failed` if neither name nor email would remain; `conflict` if another
 *   customer has the email
 */
export async function changeCustomer(
  { db, clock }: { db: Db; clock: Clock },
  { business, id, change }: { business: Business; id: string; change: CustomerUpdate },
): Promise<Customer> {
  try {
    return await transaction(db, async (tx) => {
      const before = await lockCustomer(tx, { businessId: business.id, id, email: change.email })
      if (!before) throw noSuchCustomer()
      const customer = changed(before, change)
      requireNamed(customer)
      const event = changeEvent({
        businessId: business.id,
        type: 'customer.updated',
        before: customerObject(before),
        after: customerObject(customer),
        createdAt: businessNow(clock, business),
      })
      if (event) await updateCustomer(tx, customer, event)
      return customer
    })
  } catch (error) {
    throw violatedConstraint(error) === EMAIL_TAKEN ? emailTaken() : error
  }
}

/** Applies a change: absent fields stay, `null` clears a field. */
function changed(before: Customer, { name, email, phone, metadata }: CustomerUpdate): Customer {
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  }
}

function emailTaken(): ApiError {
  const text = 'is already used by another customer'
  return new ApiError('conflict', { message: `email: ${text}`, errors: { email: [text] } })
}
