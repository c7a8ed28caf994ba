import type { EventObjects, Refund } from './generated/types.ts'

/** The types of events that this version knows. */
export type EventType = keyof EventObjects

/** An event of one type, or of several: `EventOf<'customer.created' | 'customer.updated'>`. */
export type EventOf<Type extends EventType> = { [Name in Type]: Envelope<Name> }[Type]

interface Envelope<Type extends EventType> {
  /** Id of the event, which is the same in every delivery: handle each id once. */
  id: string
  object: 'event'
  type: Type
  api_version: string
  /** Seconds since 1970. */
  created: number
  /** `false` in staging. */
  livemode: boolean
  business_id: string
  /** Counts the events of one object from 1, because deliveries may arrive out of order. */
  sequence: number
  data: EventData<Type>
}

type EventData<Type extends EventType> = {
  /** The object after the change. */
  object: EventObjects[Type]
  /** Previous values of the members that an update has changed. */
  previous_attributes?: Partial<EventObjects[Type]>
} & (Type extends 'payment.refunded' | 'payment.partially_refunded' ? { refund: Refund } : unknown)

/**
 * An event, discriminated by `type`. A newer service may send further types: give a `switch` a `default` that responds
 * with 200.
 */
export type RialtoEvent = EventOf<EventType>

type Named<Prefix extends string> = EventOf<Extract<EventType, `${Prefix}.${string}`>>

export type CheckoutSessionEvent = Named<'checkout.session'>
export type SaleEvent = Named<'sale'>
export type CustomerEvent = Named<'customer'>
export type PaymentMethodEvent = Named<'payment_method'>
export type ProductEvent = Named<'product'>
export type PriceEvent = Named<'price'>
export type SubscriptionEvent = Named<'subscription'>
export type PaymentEvent = Named<'payment'>
export type RefundEvent = Named<'refund'>
export type BatchEvent = Named<'batch'>
export type PingEvent = EventOf<'ping'>
