import type { Customer, PaymentMethod, Price, Product } from './generated/types.ts'

/** What every event is wrapped in. */
interface Envelope<Type extends string, Shown> {
  /** The same when the event is delivered again: handle each once. */
  id: string
  object: 'event'
  type: Type
  api_version: string
  /** Seconds since 1970. */
  created: number
  /** `false` in staging. */
  livemode: boolean
  business_id: string
  /** Counts the events of one object from 1: deliveries may come out of order. */
  sequence: number
  data: {
    /** The object as it was after the change. */
    object: Shown
    /** What the change changed, as it was before. */
    previous_attributes?: Partial<Shown>
  }
}

/** Objects that this version has no type for yet: ask their fields one by one. */
export type UntypedObject = Record<string, unknown>

export type CustomerEvent = Envelope<'customer.created' | 'customer.updated', Customer>
export type PaymentMethodEvent = Envelope<'payment_method.attached' | 'payment_method.detached', PaymentMethod>
export type ProductEvent = Envelope<'product.created' | 'product.updated', Product>
export type PriceEvent = Envelope<'price.created' | 'price.updated', Price>
export type SubscriptionEvent = Envelope<`subscription.${SubscriptionChange}`, UntypedObject>
export type PaymentEvent = Envelope<`payment.${PaymentChange}`, UntypedObject>
export type PaymentRefundEvent = Envelope<'payment.refunded' | 'payment.partially_refunded', UntypedObject> & {
  data: { refund: UntypedObject }
}
export type RefundEvent = Envelope<'refund.failed', UntypedObject>
export type CheckoutSessionEvent = Envelope<`checkout.session.${SessionChange}`, UntypedObject>
export type SaleEvent = Envelope<'sale.succeeded' | 'sale.failed', UntypedObject>
export type BatchEvent = Envelope<'batch.settled' | 'batch.settle_failed', UntypedObject>
export type PingEvent = Envelope<'ping', UntypedObject>

type SubscriptionChange =
  | 'created'
  | 'activated'
  | 'updated'
  | 'cancel_scheduled'
  | 'cancel_undone'
  | 'cancelled'
  | 'pause_scheduled'
  | 'pause_undone'
  | 'paused'
  | 'resumed'
  | 'completed'
type PaymentChange = 'succeeded' | 'failed' | 'retries_exhausted' | 'voided'
type SessionChange = 'completed' | 'failed' | 'expired' | 'canceled'

/** By `type`. A newer service may send types that are not here: let a `switch` have a `default` that responses 200. */
export type RialtoEvent =
  | CustomerEvent
  | PaymentMethodEvent
  | ProductEvent
  | PriceEvent
  | SubscriptionEvent
  | PaymentEvent
  | PaymentRefundEvent
  | RefundEvent
  | CheckoutSessionEvent
  | SaleEvent
  | BatchEvent
  | PingEvent
