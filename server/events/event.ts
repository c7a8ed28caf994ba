import { newId } from '../lib/ids.ts'

/** The types of contract 9 that are emitted so far. */
export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.failed'
  | 'checkout.session.expired'
  | 'checkout.session.canceled'
  | 'sale.succeeded'
  | 'sale.failed'
  | 'customer.created'
  | 'payment_method.attached'

export interface NewEvent {
  businessId: string
  id: string
  type: EventType
  /** What it is about: receivers order the events of one object by their sequence. */
  objectId: string
  /** Contract 9: the object as the API shows it after the change. */
  data: { object: object; previous_attributes?: object }
  createdAt: Date
}

export function newEvent(event: Omit<NewEvent, 'id'>): NewEvent {
  return { ...event, id: newId() }
}
