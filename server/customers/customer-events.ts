import { type NewEvent, newEvent } from '../events/event.ts'
import { customerObject, type NewCustomer } from './customer.ts'
import { cardObject } from './payment-method.ts'
import type { NewStoredCard } from './stored-card.ts'

export function customerCreated({ businessId, ...customer }: NewCustomer): NewEvent {
  const { id: objectId, createdAt } = customer
  const data = { object: customerObject(customer) }
  return newEvent({ businessId, type: 'customer.created', objectId, data, createdAt })
}

/** Returns the event without `customer`, which only the statement that stores the card can fill in. */
export function cardAttached({ businessId, createdAt, ...card }: NewStoredCard): NewEvent {
  const object = cardObject({ ...card, createdAt, detachedAt: null })
  return newEvent({ businessId, type: 'payment_method.attached', objectId: card.id, data: { object }, createdAt })
}
