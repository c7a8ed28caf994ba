import type { Customer, Payment, PaymentMethod, Price, Product, Subscription } from './generated/types.ts'

/** The members of every event. */
interface Envelope<Type extends string, Shown> {
  /** The same in every delivery of the event: handle each id once. */
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
  data: {
    /** The object after the change. */
    object: Shown
    /** The changed members with their previous values. */
    previous_attributes?: Partial<Shown>
  }
}

/** An object that this version has no type for yet: check its fields one by one. */
export type UntypedObject = Record<string, unknown>

export type CustomerEvent = Envelope<'customer.created' | 'customer.updated', Customer>
export type PaymentMethodEvent = Envelope<'payment_method.attached' | 'payment_method.detached', PaymentMethod>
export type ProductEvent = Envelope<'product.created' | 'product.updated', Product>
export type PriceEvent = Envelope<'price.created' | 'price.updated', Price>
export type SubscriptionEvent = Envelope<`subscription.${SubscriptionChange}`, Subscription>
export type PaymentEvent = Envelope<`payment.${PaymentChange}`, Payment>
export type PaymentRefundEvent = Envelope<'payment.refunded' | 'payment.partially_refunded', Payment> & {
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

/**
 * Discriminated by `type`. A newer service may send further types: give a `switch` a `default` that responds with 200.
 */
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
