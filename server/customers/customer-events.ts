import { type NewEvent, newEvent } from '../events/event.ts'
import type { NewCustomer } from './customer-queries.ts'
import type { NewStoredCard } from './stored-card-queries.ts'

// Their objects are those of the merchant API (spec, «Merchant API objects»): times in epoch seconds.

export function customerCreated({ businessId, id, name, email, phone, createdAt }: NewCustomer): NewEvent {
  const object = { id, object: 'customer', name, email, phone, metadata: {}, created: epochSeconds(createdAt) }
  return newEvent({ businessId, type: 'customer.created', objectId: id, data: { object }, createdAt })
}

/** Without `customer`, which only the statement that stores the card knows. */
export function cardAttached({ businessId, id, createdAt, ...card }: NewStoredCard): NewEvent {
  const { brand, last4, expMonth, expYear } = card
  const object = {
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
    status: 'active',
    created: epochSeconds(createdAt),
  }
  return newEvent({ businessId, type: 'payment_method.attached', objectId: id, data: { object }, createdAt })
}

const epochSeconds = (at: Date) => Math.floor(at.getTime() / 1000)
