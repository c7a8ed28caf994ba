import Type, { type TObject, type TSchema } from 'typebox'
import { Batch } from './batch.ts'
import { Customer } from './customer.ts'
import { EndedCheckoutSession } from './ended-checkout-session.ts'
import { EventEnvelope, type EventType } from './event.ts'
import { Payment } from './payment.ts'
import { PaymentMethod } from './payment-method.ts'
import { Price } from './price.ts'
import { Product } from './product.ts'
import { Refund } from './refund.ts'
import { Sale } from './saved-card-sale.ts'
import { Subscription } from './subscription.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Description of an event type. */
interface EventKind {
  /** When the event happens, as a sentence. */
  when: string
  /** The schema of `data.object`. */
  object: TObject
  /** Whether the event has `data.previous_attributes`. */
  previous: 'always' | 'sometimes' | 'never'
  /** Whether the event has `data.refund`. */
  refund: boolean
}

const kind = (object: TObject, when: string, more: Partial<EventKind> = {}): EventKind => ({
  when,
  object,
  previous: 'never',
  refund: false,
  ...more,
})
/** An event that reports what an update has changed. */
const change = (object: TObject, when: string, more: Partial<EventKind> = {}) =>
  kind(object, when, { previous: 'always', ...more })

/** All event types. OpenAPI, docs/reference/events.md and the types of the SDK are generated from this table. */
export const EVENT_CATALOGUE: Record<EventType, EventKind> = {
  'checkout.session.completed': kind(
    EndedCheckoutSession,
    'The payer has paid. Fulfill the order. `transaction` is `null` where a card was only verified, as in mode `setup`.',
  ),
  'checkout.session.failed': kind(EndedCheckoutSession, 'The third payment of the session was declined.'),
  'checkout.session.expired': kind(EndedCheckoutSession, 'The session was not paid within 24 hours.'),
  'checkout.session.canceled': kind(EndedCheckoutSession, 'Your server has cancelled the session.'),
  'sale.succeeded': kind(Sale, 'A sale on a saved card was approved.'),
  'sale.failed': kind(
    Sale,
    'A sale on a saved card was declined; or its outcome was not known when it was responded to, and it charged nothing.',
  ),
  'payment.succeeded': kind(Payment, 'A bill of a subscription was paid.'),
  'payment.failed': kind(
    Payment,
    'An attempt on a bill of a subscription was declined. `next_retry_at` says when it is tried again; `null`: it is not.',
  ),
  'payment.retries_exhausted': kind(
    Payment,
    'The last attempt on a bill was declined: it is not tried again by itself. Comes after `payment.failed`.',
  ),
  'payment.refunded': change(
    Payment,
    'A refund was made, and with it the whole payment is refunded. `data.refund` is that refund.',
    { refund: true },
  ),
  'payment.partially_refunded': change(Payment, 'Part of a payment was refunded. `data.refund` is that refund.', {
    refund: true,
  }),
  'payment.voided': change(Payment, 'A payment was voided before its batch was settled.'),
  'refund.failed': kind(Refund, 'A refund was not made: no money moved, and its amount may be refunded again.'),
  'batch.settled': kind(Batch, 'A batch was settled, by a request or by the daily close.'),
  'batch.settle_failed': kind(Batch, 'The gateway has refused to settle a batch. It stays open.'),
  'customer.created': kind(Customer, 'A customer was created, by a request or by the first payment with an email.'),
  'customer.updated': change(Customer, 'A customer was changed.'),
  'payment_method.attached': kind(PaymentMethod, 'A payer has saved a card.'),
  'payment_method.detached': change(PaymentMethod, 'A card was taken off file. It is not charged any more.'),
  'product.created': kind(Product, 'A product was created, by a request or for the plan of a checkout session.'),
  'product.updated': change(Product, 'A product was changed.'),
  'price.created': kind(Price, 'A price was created, by a request or for the plan of a checkout session.'),
  'price.updated': change(Price, 'A price was changed. Its amount and interval never change.'),
  'subscription.created': kind(
    Subscription,
    'A subscription was created: `active`, or `pending_payment_method` while it waits for a card.',
  ),
  'subscription.activated': change(Subscription, 'A subscription that waited for a card has got one and has begun.'),
  'subscription.updated': change(
    Subscription,
    'A subscription was changed in a way that no other event reports: another card, or a period that is not paid any more.',
  ),
  'subscription.cancel_scheduled': change(Subscription, 'A cancel at the end of the period was requested.'),
  'subscription.cancel_undone': change(Subscription, 'The cancel at the end of the period was taken back.'),
  'subscription.cancelled': change(Subscription, 'A subscription has ended by a cancel. It is not billed any more.'),
  'subscription.pause_scheduled': change(Subscription, 'A pause at the end of the period was requested.'),
  'subscription.pause_undone': change(Subscription, 'The pause at the end of the period was taken back.'),
  'subscription.paused': change(Subscription, 'A subscription was paused. It is not billed until it is resumed.'),
  'subscription.resumed': change(Subscription, 'A paused subscription was resumed.'),
  'subscription.completed': kind(Subscription, 'The last installment was paid.', { previous: 'sometimes' }),
  ping: kind(WebhookEndpoint, 'You have tested an endpoint. Only that endpoint gets it, whatever it receives.'),
}

const Previous = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The changed members of the object with their previous values.',
})

/** Returns the schema of an event, including the schema of its object. */
export function eventSchema(type: EventType): TSchema {
  const { object, previous, refund } = EVENT_CATALOGUE[type]
  const data = Type.Object({
    object,
    ...(previous === 'always' && { previous_attributes: Previous }),
    ...(previous === 'sometimes' && { previous_attributes: Type.Optional(Previous) }),
    ...(refund && { refund: Refund }),
  })
  return Type.Object({ ...EventEnvelope.properties, type: Type.Literal(type), data })
}
