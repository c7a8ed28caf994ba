import Type, { type Static } from 'typebox'
import { EpochSeconds, OneOf, Uuid } from './formats.ts'
import { Refund } from './refund.ts'

/** The types that are recorded so far: docs/specification/events-and-webhooks.md has all of them. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.failed',
  'checkout.session.expired',
  'checkout.session.canceled',
  'sale.succeeded',
  'sale.failed',
  'payment.refunded',
  'payment.partially_refunded',
  'payment.voided',
  'refund.failed',
  'batch.settled',
  'batch.settle_failed',
  'customer.created',
  'customer.updated',
  'payment_method.attached',
  'payment_method.detached',
  'product.created',
  'product.updated',
  'price.created',
  'price.updated',
  'subscription.created',
  'subscription.activated',
  'subscription.updated',
  'subscription.cancel_scheduled',
  'subscription.cancel_undone',
  'subscription.cancelled',
  'subscription.pause_scheduled',
  'subscription.pause_undone',
  'subscription.paused',
  'subscription.resumed',
  'subscription.completed',
  'payment.succeeded',
  'payment.failed',
  'payment.retries_exhausted',
  'ping',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** A change, as a webhook reports it (EVT-2). */
export const EventEnvelope = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('event'),
    type: OneOf(EVENT_TYPES),
    api_version: Type.Literal('v1.0'),
    created: EpochSeconds(),
    livemode: Type.Boolean({ description: '`false` in staging.' }),
    business_id: Uuid(),
    sequence: Type.Integer({ minimum: 1, description: 'Counts the events of one object from 1.' }),
    data: Type.Object({
      object: Type.Record(Type.String(), Type.Unknown(), {
        description: 'The object as the API shows it after the change.',
      }),
      previous_attributes: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'For an update: the changed members with their previous values.',
        }),
      ),
      refund: Type.Optional(Refund),
    }),
  },
  { title: 'Event' },
)
export type EventEnvelope = Static<typeof EventEnvelope>
