// Generated from the OpenAPI document of the service by `npm run sdk:types`. Do not edit.

export interface Account {
  object: 'account'
  business_id: string
  business_name: string
  api_key_id: string
  api_key_name: string
  api_key_last_four: string
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface AccountResponse {
  data: Account
}
export interface Batch {
  id: string
  object: 'batch'
  /**
   * Counts the batches of a terminal from 1.
   */
  number: number
  /**
   * `settling`: its settlement is under way, or its outcome is not known yet.
   */
  status: 'open' | 'settling' | 'settled'
  terminal_id: string
  currency: 'usd' | 'cad'
  /**
   * Seconds since 1970.
   */
  opened_at: number | null
  /**
   * Seconds since 1970.
   */
  settled_at: number | null
  settlement_reference: string | null
  sales_count: number
  sales_amount: number
  refunds_count: number
  refunds_amount: number
  voids_count: number
  voids_amount: number
  /**
   * Sales minus refunds; a voided sale is in neither.
   */
  net_amount: number
  /**
   * Sales that are not voided, by brand, as Rialto has recorded them.
   */
  by_brand: {
    brand: string
    count: number
    amount: number
  }[]
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface CancelSubscriptionQuery {
  /**
   * Text; it may have several lines.
   */
  reason?: string
}
/**
 * The parts of an address that the payer entered.
 */
export interface CollectedAddress {
  name?: string
  line1?: string
  line2?: string
  city?: string
  state?: string
  postal_code?: string
  country?: string
}
/**
 * What the payer agreed to.
 */
export interface Consent {
  terms_of_service: 'accepted' | null
  promotions: 'opt_in' | 'opt_out' | null
  accepted_at: string
  ip: string
}
export interface ConsentCollection {
  terms_of_service?: 'required' | 'none'
  promotions?: 'auto' | 'none'
  payment_method_reuse_agreement?: {
    position: 'auto' | 'hidden'
  }
}
export interface Customer {
  id: string
  object: 'customer'
  name: string | null
  email: string | null
  phone: string | null
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
}
/**
 * At least one of name and email is required.
 */
export interface CustomerCreate {
  /**
   * One line of text.
   */
  name?: string
  email?: string
  /**
   * One line of text.
   */
  phone?: string
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
}
/**
 * Absent fields stay; null clears a field; metadata is replaced as a whole.
 */
export interface CustomerUpdate {
  /**
   * One line of text.
   */
  name?: string | null
  email?: string | null
  /**
   * One line of text.
   */
  phone?: string | null
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  } | null
}
export interface DeletedWebhookEndpoint {
  id: string
  object: 'webhook_endpoint'
  deleted: true
}
export interface Discount {
  /**
   * One line of text.
   */
  name?: string
  /**
   * One line of text.
   */
  code?: string
  /**
   * In major units, with at most two decimals.
   */
  amount?: number
  percent_off?: number
}
/**
 * Amounts in major units. A session has one event: the one that ends it.
 */
export interface EndedCheckoutSession {
  id: string
  session_status: 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED' | 'FAILED'
  payment_status: 'UNPAID' | 'PAID' | 'FAILED'
  amount_total: number
  currency: 'USD' | 'CAD'
  expires_at: string
  ui_mode: 'hosted' | 'embedded' | 'rapid'
  /**
   * An absolute URL.
   */
  success_url: string | null
  /**
   * An absolute URL.
   */
  cancel_url: string | null
  amount_subtotal: number | null
  amount_tax: number | null
  amount_discount: number | null
  customer_id: string | null
  customer_email: string | null
  /**
   * `merchant`: your server identified the customer. `payer`: the email was typed, so `customer_id` tells which customer the payment is recorded for, not who paid.
   */
  customer_named_by: 'merchant' | 'payer'
  customer_name: string | null
  /**
   * `setup` stores a card of the customer and charges nothing: your dashboard asks for it.
   */
  mode: 'payment' | 'subscription' | 'setup'
  description: string | null
  client_reference_id: string | null
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  line_items: LineItem[]
  discounts: Discount[]
  billing_address_collection: 'auto' | 'required' | null
  shipping_address_collection: 'auto' | 'required' | null
  billing_address: CollectedAddress | null
  shipping_address: CollectedAddress | null
  consent_collection: ConsentCollection | null
  consent: Consent | null
  /**
   * `rate` in percent; `amount` is `null` until a payment is approved.
   */
  surcharge: {
    rate: number
    amount: number | null
  } | null
  subscription: SignedUpFor | null
  /**
   * Id of the subscription that began, in mode `subscription`.
   */
  subscription_id: string | null
  attempt_count: number
  max_attempts: number
  /**
   * The last decline, until a card is approved: the result code and the issuer's message.
   */
  last_decline: {
    code: string | null
    message: string | null
  } | null
  created_at: string
  completed_at: string | null
  canceled_at: string | null
  transaction: MaskedTransaction | null
}
export interface LineItem {
  /**
   * One line of text.
   */
  name: string
  quantity: number
  /**
   * In major units, with at most two decimals.
   */
  unit_amount: number
  /**
   * In major units, with at most two decimals.
   */
  total: number
  /**
   * An absolute URL.
   */
  image?: string
}
/**
 * Terms as they were given, in mode `subscription`.
 */
export interface SignedUpFor {
  interval: 'Daily' | 'Weekly' | 'Bi-Weekly' | 'Monthly' | 'Quarterly' | 'Twice a year' | 'Annual'
  start_date: string | null
  name: string | null
}
export interface MaskedTransaction {
  id: string
  transactionID: string
  receipt_id: string | null
  /**
   * `null` when a card was only verified, and nothing was charged.
   */
  receiptID: string | null
  code: string
  response_code: string
  message: string
  /**
   * Its last four digits: `************4242`.
   */
  card: string
  /**
   * The card network.
   */
  association: string
  details: {
    association: string
    amount: number
    issuer_reference: string | null
    source: 'new_card' | 'saved_card' | 'google_pay'
    /**
     * Only of a subscription that begins later. Its card was verified, and `amount` is 0.
     */
    first_bill_date?: string
  }
}
export interface EndpointRedelivery {
  /**
   * Events recorded since then, in real time; seconds since 1970.
   */
  since: number
  /**
   * Which deliveries. `missing` are events of the types that the endpoint receives now, for which it has no delivery: they were recorded while it was disabled, before it existed, or before it received their type. Default: ["failed","canceled","missing"].
   *
   * @minItems 1
   * @maxItems 4
   */
  status?: ['failed' | 'canceled' | 'missing' | 'succeeded', ...('failed' | 'canceled' | 'missing' | 'succeeded')[]]
  /**
   * Continues after this event: `last_event` of the request before.
   */
  starting_after?: string
}
export interface EndpointRedeliveryResult {
  object: 'redelivery'
  /**
   * How many deliveries are due again, by this request.
   */
  deliveries: number
  /**
   * Whether events remain that this request did not look at or redeliver.
   */
  has_more: boolean
  /**
   * The last event that it looked at, for `starting_after`.
   */
  last_event: string | null
  /**
   * How many redeliveries and tests the endpoint may still have of its 10000 in an hour.
   */
  remaining: number
  /**
   * Seconds until another one is possible; null while `remaining` is not 0.
   */
  retry_after: number | null
}
export interface Event {
  id: string
  object: 'event'
  type:
    | 'checkout.session.completed'
    | 'checkout.session.failed'
    | 'checkout.session.expired'
    | 'checkout.session.canceled'
    | 'sale.succeeded'
    | 'sale.failed'
    | 'payment.refunded'
    | 'payment.partially_refunded'
    | 'payment.voided'
    | 'refund.failed'
    | 'batch.settled'
    | 'batch.settle_failed'
    | 'customer.created'
    | 'customer.updated'
    | 'payment_method.attached'
    | 'payment_method.detached'
    | 'product.created'
    | 'product.updated'
    | 'price.created'
    | 'price.updated'
    | 'subscription.created'
    | 'subscription.activated'
    | 'subscription.updated'
    | 'subscription.cancel_scheduled'
    | 'subscription.cancel_undone'
    | 'subscription.cancelled'
    | 'subscription.pause_scheduled'
    | 'subscription.pause_undone'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.completed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.retries_exhausted'
    | 'ping'
  api_version: 'v1.0'
  /**
   * Seconds since 1970.
   */
  created: number
  /**
   * `false` in staging.
   */
  livemode: boolean
  business_id: string
  /**
   * Counts the events of one object from 1.
   */
  sequence: number
  data: {
    /**
     * The object as the API shows it after the change.
     */
    object: {
      [k: string]: unknown
    }
    /**
     * For an update: the changed members with their previous values.
     */
    previous_attributes?: {
      [k: string]: unknown
    }
    refund?: Refund
  }
}
export interface Refund {
  id: string
  object: 'refund'
  payment: string
  /**
   * `null` of a payment that is not of a subscription, which the dashboard refunds.
   */
  subscription: string | null
  customer: string | null
  amount: number
  currency: 'usd' | 'cad'
  /**
   * `pending`: the gateway has not confirmed it yet; its amount stays reserved.
   */
  status: 'succeeded' | 'pending' | 'failed'
  /**
   * `declined` by the issuer; `refused` by the gateway; `gateway_unavailable`: nothing was sent, it may be repeated.
   */
  failure_reason: 'declined' | 'refused' | 'gateway_unavailable' | null
  receipt_id: string | null
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface EventObjects {
  'checkout.session.completed': EndedCheckoutSession
  'checkout.session.failed': EndedCheckoutSession
  'checkout.session.expired': EndedCheckoutSession
  'checkout.session.canceled': EndedCheckoutSession
  'sale.succeeded': Sale
  'sale.failed': Sale
  'payment.refunded': Payment
  'payment.partially_refunded': Payment
  'payment.voided': Payment
  'refund.failed': Refund
  'batch.settled': Batch
  'batch.settle_failed': Batch
  'customer.created': Customer
  'customer.updated': Customer
  'payment_method.attached': PaymentMethod
  'payment_method.detached': PaymentMethod
  'product.created': Product
  'product.updated': Product
  'price.created': Price
  'price.updated': Price
  'subscription.created': Subscription
  'subscription.activated': Subscription
  'subscription.updated': Subscription
  'subscription.cancel_scheduled': Subscription
  'subscription.cancel_undone': Subscription
  'subscription.cancelled': Subscription
  'subscription.pause_scheduled': Subscription
  'subscription.pause_undone': Subscription
  'subscription.paused': Subscription
  'subscription.resumed': Subscription
  'subscription.completed': Subscription
  'payment.succeeded': Payment
  'payment.failed': Payment
  'payment.retries_exhausted': Payment
  ping: WebhookEndpoint
}
export interface Sale {
  /**
   * The `recordID` of the response.
   */
  id: string
  /**
   * `Failed`: its outcome was not known when it was responded to, and it charged nothing in the end.
   */
  status: 'Approved' | 'Declined' | 'Failed'
  /**
   * In major units.
   */
  amount: number
  currency: 'USD' | 'CAD'
  customer_id: string | null
  card_id: string | null
  /**
   * The result code: `AA` is approved.
   */
  code: string | null
  message: string
  receipt_id: string | null
}
export interface Payment {
  id: string
  object: 'payment'
  /**
   * `null` of a payment that is not of a subscription: in events, and in the payments of a batch.
   */
  subscription: string | null
  customer: string | null
  payment_method: string | null
  /**
   * The whole amount, including tax and surcharge.
   */
  amount: number
  surcharge_amount: number
  tax_amount: number
  currency: 'usd' | 'cad'
  status: 'succeeded' | 'failed' | 'refunded' | 'voided'
  refunded_amount: number
  /**
   * Counts the attempts of a bill from 1.
   */
  attempt: number | null
  trigger: 'initial' | 'scheduled' | 'retry' | 'manual' | 'resume' | null
  failure_code: string | null
  failure_message: string | null
  /**
   * Time of the next attempt on the bill, if the payment failed.
   */
  next_retry_at: number | null
  period: PaymentPeriod | null
  /**
   * The batch that holds it.
   */
  batch: string | null
  receipt_id: string
  /**
   * Seconds since 1970.
   */
  created: number
}
/**
 * The days that were billed; `end` is exclusive. `null` of a payment that is not of a subscription.
 */
export interface PaymentPeriod {
  start: string
  end: string
}
export interface PaymentMethod {
  id: string
  object: 'payment_method'
  type: 'card'
  customer: string
  card: {
    brand: string
    last4: string
    exp_month: number
    exp_year: number
  }
  status: 'active' | 'detached'
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface Product {
  id: string
  object: 'product'
  name: string
  description: string | null
  active: boolean
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface Price {
  id: string
  object: 'price'
  product: string
  unit_amount: number
  currency: 'usd' | 'cad'
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year'
    interval_count: number
  } | null
  nickname: string | null
  active: boolean
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface Subscription {
  id: string
  object: 'subscription'
  status: 'pending_payment_method' | 'active' | 'paused' | 'completed' | 'canceled'
  customer: string
  payment_method: string | null
  price: string
  items: SubscriptionItemList
  currency: 'usd' | 'cad'
  /**
   * Price of the only item; the sum of all if there are several.
   */
  unit_amount: number
  /**
   * Quantity of the only item; 1 if there are several.
   */
  quantity: number
  surcharge_rate: number | null
  /**
   * Surcharge of each bill.
   */
  surcharge_amount: number
  tax_rate: number | null
  /**
   * Tax of each bill.
   */
  tax_amount: number
  /**
   * Total of each bill: base, tax and surcharge.
   */
  amount: number
  interval: 'day' | 'week' | 'month' | 'year'
  interval_count: number
  installments: number | null
  installments_billed: number
  installments_remaining: number | null
  start_date: string
  billing_cycle_anchor: string
  /**
   * Seconds since 1970.
   */
  current_period_start: number | null
  /**
   * Seconds since 1970.
   */
  current_period_end: number | null
  /**
   * Seconds since 1970.
   */
  next_billing_at: number | null
  /**
   * Seconds since 1970.
   */
  last_payment_at: number | null
  latest_payment: string | null
  /**
   * Seconds since 1970.
   */
  last_failed_attempt_at: number | null
  retry_count: number
  /**
   * Seconds since 1970.
   */
  next_retry_at: number | null
  cancel_at_period_end: boolean
  /**
   * Seconds since 1970.
   */
  cancel_at: number | null
  /**
   * Seconds since 1970.
   */
  canceled_at: number | null
  /**
   * Seconds since 1970.
   */
  ended_at: number | null
  cancellation_details: {
    comment: string | null
    reason: string | null
  } | null
  /**
   * Seconds since 1970.
   */
  pause_at: number | null
  /**
   * Seconds since 1970.
   */
  paused_at: number | null
  pause_reason: string | null
  pause: SubscriptionPause | null
  contract: SubscriptionContract | null
  /**
   * Where the customer enters the card.
   */
  checkout_url: string | null
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface SubscriptionItemList {
  object: 'list'
  data: SubscriptionItem[]
  has_more: boolean
}
export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  price: Price
  quantity: number
}
export interface SubscriptionPause {
  id: string
  status: 'pending' | 'active' | 'resumed' | 'canceled' | 'ended'
  mode: 'immediate' | 'period_end'
  reason: string | null
  unused_time_behavior: 'preserve_time' | 'external_refund' | null
  /**
   * Seconds since 1970.
   */
  scheduled_for: number | null
  /**
   * Seconds since 1970. Of a scheduled pause: when it begins.
   */
  paused_at: number
  /**
   * Seconds since 1970. Without paid time: when the pause begins.
   */
  paid_through_at: number
  remaining_paid_seconds: number
  requires_external_refund_confirmation: boolean
  refund_reference: string | null
  refund_note: string | null
  resume_mode: 'from_today' | 'original_schedule' | null
  /**
   * Seconds since 1970.
   */
  resumed_at: number | null
}
export interface SubscriptionContract {
  id: string
  status: 'draft' | 'sent' | 'signed' | 'void'
  /**
   * Seconds since 1970.
   */
  signed_at: number | null
  url: string | null
}
export interface WebhookEndpoint {
  id: string
  object: 'webhook_endpoint'
  /**
   * Without user name and password.
   */
  url: string
  /**
   * Whether a user name and a password are sent to it by HTTP basic authentication.
   */
  basic_auth: boolean
  description: string | null
  enabled_events: string[]
  /**
   * Whether an event waits until the earlier events of its object are delivered, or have used up their retries.
   */
  ordered: boolean
  status: 'enabled' | 'disabled'
  disabled_reason: 'manual' | 'gone' | 'failing' | null
  /**
   * The first failure since the last success, in seconds since 1970.
   */
  failing_since: number | null
  /**
   * Seconds since 1970.
   */
  created: number
}
export interface EventRedelivery {
  /**
   * Only to this endpoint, whatever it receives. By default to every enabled one that receives the type.
   */
  webhook_endpoint?: string
}
export interface ListBatchPaymentsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
}
export interface ListBatchesQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
}
export interface ListCustomerPaymentMethodsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
}
export interface ListCustomersQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only the customer with this e-mail, compared without case.
   */
  email?: string
}
export interface ListEventsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only this type.
   */
  type?:
    | 'checkout.session.completed'
    | 'checkout.session.failed'
    | 'checkout.session.expired'
    | 'checkout.session.canceled'
    | 'sale.succeeded'
    | 'sale.failed'
    | 'payment.refunded'
    | 'payment.partially_refunded'
    | 'payment.voided'
    | 'refund.failed'
    | 'batch.settled'
    | 'batch.settle_failed'
    | 'customer.created'
    | 'customer.updated'
    | 'payment_method.attached'
    | 'payment_method.detached'
    | 'product.created'
    | 'product.updated'
    | 'price.created'
    | 'price.updated'
    | 'subscription.created'
    | 'subscription.activated'
    | 'subscription.updated'
    | 'subscription.cancel_scheduled'
    | 'subscription.cancel_undone'
    | 'subscription.cancelled'
    | 'subscription.pause_scheduled'
    | 'subscription.pause_undone'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.completed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.retries_exhausted'
    | 'ping'
  /**
   * Only events of the object with this id: `data.object.id`.
   */
  object?: string
}
export interface ListPaymentMethodsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only payment methods of this customer.
   */
  customer?: string
}
export interface ListPricesQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only prices of this product.
   */
  product?: string
  /**
   * Only active prices, or only inactive ones.
   */
  active?: boolean
}
export interface ListProductsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only active products, or only inactive ones.
   */
  active?: boolean
}
export interface ListRefundsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only refunds of this payment.
   */
  payment?: string
}
export interface ListSubscriptionPaymentsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
}
export interface ListSubscriptionsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
  /**
   * Only subscriptions of this customer.
   */
  customer?: string
  status?: 'pending_payment_method' | 'active' | 'paused' | 'completed' | 'canceled' | 'cancelled' | 'incomplete'
}
export interface ListWebhookEndpointsQuery {
  /**
   * Page size. Default: 10.
   */
  limit?: number
  /**
   * Returns the older page after this id.
   */
  starting_after?: string
  /**
   * Returns the newer page before this id.
   */
  ending_before?: string
}
export interface PausePreview {
  object: 'subscription_pause_preview'
  pause_mode: 'immediate' | 'period_end'
  requires_unused_time_choice: boolean
  remaining_paid_days: number
  unused_prepaid_amount: number
  suggested_refund_amount: number
}
export interface PausePreviewRequest {
  mode: 'immediate' | 'period_end'
}
export interface PauseRequest {
  mode?: 'immediate' | 'period_end'
  /**
   * Text; it may have several lines.
   */
  reason?: string | null
  unused_time_behavior?: 'preserve_time' | 'external_refund'
  refund_confirmed?: boolean
  /**
   * One line of text.
   */
  refund_reference?: string
  /**
   * Text; it may have several lines.
   */
  refund_note?: string | null
}
export interface PriceCreate {
  product: string
  /**
   * In the smallest unit of the currency.
   */
  unit_amount: number
  recurring?: Recurring
  /**
   * One line of text.
   */
  nickname?: string
  /**
   * Default: true.
   */
  active?: boolean
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
}
export interface Recurring {
  interval: 'day' | 'week' | 'month' | 'year'
  /**
   * Supported values: day 1; week 1, 2; month 1, 3, 6; year 1. Default: 1.
   */
  interval_count?: number
}
export interface PriceUpdate {
  /**
   * One line of text.
   */
  nickname?: string | null
  active?: boolean
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  } | null
}
export interface ProductCreate {
  /**
   * One line of text.
   */
  name: string
  /**
   * Text; it may have several lines.
   */
  description?: string
  /**
   * Default: true.
   */
  active?: boolean
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
}
export interface ProductUpdate {
  /**
   * One line of text.
   */
  name?: string
  /**
   * Text; it may have several lines.
   */
  description?: string | null
  active?: boolean
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  } | null
}
export interface ProductWithPrices {
  id: string
  object: 'product'
  name: string
  description: string | null
  active: boolean
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
  /**
   * The newest prices, newest first.
   *
   * @maxItems 100
   */
  prices: Price[]
  /**
   * Whether there are older prices; list the prices of the product to get them.
   */
  prices_has_more: boolean
}
export interface Redelivery {
  object: 'redelivery'
  /**
   * How many deliveries are due again.
   */
  deliveries: number
}
export interface RefundCreate {
  /**
   * A payment of a subscription.
   */
  payment: string
  /**
   * In cents; absent, the whole rest is refunded.
   */
  amount?: number
}
export interface ResumePreview {
  object: 'subscription_resume_preview'
  resume_path: 'from_today' | 'original_schedule'
  charge_due_today: number
  payment_required_to_reactivate: boolean
  quote_hash: string | null
  new_period_start: string
  new_period_end: string
  next_billing_date: string
}
export interface ResumePreviewRequest {
  billing_cycle_anchor: 'now' | 'unchanged'
}
export interface ResumeRequest {
  billing_cycle_anchor: 'now' | 'unchanged'
  proration_behavior: 'none'
  quote_hash?: string
  idempotency_key?: string
}
export interface ResumedSubscription {
  id: string
  object: 'subscription'
  status: 'pending_payment_method' | 'active' | 'paused' | 'completed' | 'canceled'
  customer: string
  payment_method: string | null
  price: string
  items: SubscriptionItemList
  currency: 'usd' | 'cad'
  /**
   * Price of the only item; the sum of all if there are several.
   */
  unit_amount: number
  /**
   * Quantity of the only item; 1 if there are several.
   */
  quantity: number
  surcharge_rate: number | null
  /**
   * Surcharge of each bill.
   */
  surcharge_amount: number
  tax_rate: number | null
  /**
   * Tax of each bill.
   */
  tax_amount: number
  /**
   * Total of each bill: base, tax and surcharge.
   */
  amount: number
  interval: 'day' | 'week' | 'month' | 'year'
  interval_count: number
  installments: number | null
  installments_billed: number
  installments_remaining: number | null
  start_date: string
  billing_cycle_anchor: string
  /**
   * Seconds since 1970.
   */
  current_period_start: number | null
  /**
   * Seconds since 1970.
   */
  current_period_end: number | null
  /**
   * Seconds since 1970.
   */
  next_billing_at: number | null
  /**
   * Seconds since 1970.
   */
  last_payment_at: number | null
  latest_payment: string | null
  /**
   * Seconds since 1970.
   */
  last_failed_attempt_at: number | null
  retry_count: number
  /**
   * Seconds since 1970.
   */
  next_retry_at: number | null
  cancel_at_period_end: boolean
  /**
   * Seconds since 1970.
   */
  cancel_at: number | null
  /**
   * Seconds since 1970.
   */
  canceled_at: number | null
  /**
   * Seconds since 1970.
   */
  ended_at: number | null
  cancellation_details: {
    comment: string | null
    reason: string | null
  } | null
  /**
   * Seconds since 1970.
   */
  pause_at: number | null
  /**
   * Seconds since 1970.
   */
  paused_at: number | null
  pause_reason: string | null
  pause: SubscriptionPause | null
  contract: SubscriptionContract | null
  /**
   * Where the customer enters the card.
   */
  checkout_url: string | null
  metadata: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
  /**
   * Seconds since 1970.
   */
  created: number
  payment: Payment | null
}
export interface SubscriptionCancel {
  /**
   * Text; it may have several lines.
   */
  reason?: string | null
}
export interface SubscriptionCreate {
  customer: string
  price?: string
  /**
   * Recurring prices of one cadence, instead of `price`.
   *
   * @minItems 1
   * @maxItems 20
   */
  items?: [
    {
      price: string
      /**
       * Default: 1.
       */
      quantity?: number
    },
    ...{
      price: string
      /**
       * Default: 1.
       */
      quantity?: number
    }[]
  ]
  /**
   * A card on file of the customer. Without it the customer gets a link.
   */
  payment_method?: string
  /**
   * Today unless given, in the time zone of the business; at most a year ahead.
   */
  start_date?: string
  /**
   * Completed after so many approved bills. Without it the subscription has no end.
   */
  installments?: number
  /**
   * Percent, 0 to 2.4, with at most four decimals.
   */
  surcharge_rate?: number
  /**
   * Percent, 0 to 30, with at most four decimals.
   */
  tax_rate?: number
  /**
   * Without a payment method; true unless given.
   */
  send_payment_link?: boolean
  metadata?: {
    /**
     * Text; it may have several lines.
     */
    [k: string]: string | number | boolean
  }
}
export interface SubscriptionUpdate {
  cancel_at_period_end?: boolean
  cancellation_details?: {
    /**
     * Text; it may have several lines.
     */
    comment?: string | null
  } | null
  proration_behavior?: 'none'
  /**
   * Another card on file of the customer, for the bills to come. Sent without `cancel_at_period_end`.
   */
  payment_method?: string
}
export interface TestClock {
  object: 'test_clock'
  /**
   * The business's time, in seconds since 1970.
   */
  now: number
  /**
   * How far it is ahead of real time.
   */
  offset_seconds: number
}
export interface TestClockAdvance {
  /**
   * The time to advance to, in seconds since 1970.
   */
  to?: number
  seconds?: number
  /**
   * Days of 24 hours.
   */
  days?: number
}
export interface TestClockAdvanced {
  object: 'test_clock'
  /**
   * The business's time, in seconds since 1970.
   */
  now: number
  /**
   * How far it is ahead of real time.
   */
  offset_seconds: number
  /**
   * The time that was asked for.
   */
  target: number
  /**
   * Whether `now` has reached `target`. An advance stops after 90 seconds of real time, because connections do not stay open longer: send `to` with the value of `target` to go on.
   */
  done: boolean
  ran: {
    /**
     * Bills that were charged, each attempt counted.
     */
    bills: number
    /**
     * Number of approved attempts.
     */
    approved: number
    /**
     * Number of declined attempts.
     */
    declined: number
    /**
     * Charges whose outcome is not known yet: the clock went on without them, and recovery resolves them.
     */
    in_doubt: number
    /**
     * Checkout sessions that expired.
     */
    expired_sessions: number
  }
}
export interface VoidCreate {
  /**
   * A payment of a subscription whose batch is open.
   */
  payment: string
}
export interface WebhookAttempt {
  /**
   * Counts the attempts of this delivery from 1, also over redeliveries.
   */
  number: number
  /**
   * Seconds since 1970.
   */
  attempted_at: number
  /**
   * The URL of the endpoint at that time.
   */
  url: string
  /**
   * As sent, without `authorization` and `webhook-signature`: that is computed for each attempt from `webhook-id`, `webhook-timestamp`, the body and the secret. The body was the event, as `GET /events/{id}` returns it.
   */
  request_headers: {
    [k: string]: string
  }
  /**
   * Null when no response came.
   */
  response_status: number | null
  /**
   * Headers of a failed attempt, by name in lower case: up to 1 KB in all, and 200 characters of each. For cookies, tokens and other secrets the value is `[hidden]`. Null when no response came.
   */
  response_headers: {
    [k: string]: string
  } | null
  /**
   * First 1,024 characters of the body of a failed attempt; empty for a success.
   */
  response_body: string | null
  duration_ms: number
  /**
   * Why there was no response, or why it was not read.
   */
  error: string | null
}
export interface WebhookDelivery {
  object: 'webhook_delivery'
  event: string
  webhook_endpoint: string
  /**
   * `failed`: its retries are used up. `canceled`: the endpoint was disabled or deleted while it waited. Both are sent again by a redelivery only.
   */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /**
   * When a pending delivery is attempted next, in seconds since 1970.
   */
  next_attempt_at: number | null
  /**
   * How many attempts were made.
   */
  attempt_count: number
  /**
   * The newest 20, newest first.
   *
   * @maxItems 20
   */
  attempts: WebhookAttempt[]
}
export interface WebhookEndpointCreate {
  /**
   * A user name and a password, as in `https://user:password@shop.example/webhooks`, are sent to the receiver by HTTP basic authentication. They are stored sealed and shown nowhere. An absolute URL.
   */
  url: string
  /**
   * Text; it may have several lines.
   */
  description?: string | null
  /**
   * Types of events, or `*` for all, also those that a later version adds.
   *
   * @minItems 1
   * @maxItems 35
   */
  enabled_events: [
    (
      | '*'
      | 'checkout.session.completed'
      | 'checkout.session.failed'
      | 'checkout.session.expired'
      | 'checkout.session.canceled'
      | 'sale.succeeded'
      | 'sale.failed'
      | 'payment.refunded'
      | 'payment.partially_refunded'
      | 'payment.voided'
      | 'refund.failed'
      | 'batch.settled'
      | 'batch.settle_failed'
      | 'customer.created'
      | 'customer.updated'
      | 'payment_method.attached'
      | 'payment_method.detached'
      | 'product.created'
      | 'product.updated'
      | 'price.created'
      | 'price.updated'
      | 'subscription.created'
      | 'subscription.activated'
      | 'subscription.updated'
      | 'subscription.cancel_scheduled'
      | 'subscription.cancel_undone'
      | 'subscription.cancelled'
      | 'subscription.pause_scheduled'
      | 'subscription.pause_undone'
      | 'subscription.paused'
      | 'subscription.resumed'
      | 'subscription.completed'
      | 'payment.succeeded'
      | 'payment.failed'
      | 'payment.retries_exhausted'
    ),
    ...(
      | '*'
      | 'checkout.session.completed'
      | 'checkout.session.failed'
      | 'checkout.session.expired'
      | 'checkout.session.canceled'
      | 'sale.succeeded'
      | 'sale.failed'
      | 'payment.refunded'
      | 'payment.partially_refunded'
      | 'payment.voided'
      | 'refund.failed'
      | 'batch.settled'
      | 'batch.settle_failed'
      | 'customer.created'
      | 'customer.updated'
      | 'payment_method.attached'
      | 'payment_method.detached'
      | 'product.created'
      | 'product.updated'
      | 'price.created'
      | 'price.updated'
      | 'subscription.created'
      | 'subscription.activated'
      | 'subscription.updated'
      | 'subscription.cancel_scheduled'
      | 'subscription.cancel_undone'
      | 'subscription.cancelled'
      | 'subscription.pause_scheduled'
      | 'subscription.pause_undone'
      | 'subscription.paused'
      | 'subscription.resumed'
      | 'subscription.completed'
      | 'payment.succeeded'
      | 'payment.failed'
      | 'payment.retries_exhausted'
    )[]
  ]
  /**
   * Whether an event waits until the earlier events of its object are delivered, or have used up their retries. Default: false.
   */
  ordered?: boolean
}
export interface WebhookEndpointUpdate {
  /**
   * A user name and a password, as in `https://user:password@shop.example/webhooks`, are sent to the receiver by HTTP basic authentication. They are stored sealed and shown nowhere. An absolute URL.
   */
  url?: string
  /**
   * `false` removes user name and password. A `url` without them keeps those of the same origin, and removes those of another one.
   */
  basic_auth?: boolean
  /**
   * Text; it may have several lines.
   */
  description?: string | null
  /**
   * Types of events, or `*` for all, also those that a later version adds.
   *
   * @minItems 1
   * @maxItems 35
   */
  enabled_events?: [
    (
      | '*'
      | 'checkout.session.completed'
      | 'checkout.session.failed'
      | 'checkout.session.expired'
      | 'checkout.session.canceled'
      | 'sale.succeeded'
      | 'sale.failed'
      | 'payment.refunded'
      | 'payment.partially_refunded'
      | 'payment.voided'
      | 'refund.failed'
      | 'batch.settled'
      | 'batch.settle_failed'
      | 'customer.created'
      | 'customer.updated'
      | 'payment_method.attached'
      | 'payment_method.detached'
      | 'product.created'
      | 'product.updated'
      | 'price.created'
      | 'price.updated'
      | 'subscription.created'
      | 'subscription.activated'
      | 'subscription.updated'
      | 'subscription.cancel_scheduled'
      | 'subscription.cancel_undone'
      | 'subscription.cancelled'
      | 'subscription.pause_scheduled'
      | 'subscription.pause_undone'
      | 'subscription.paused'
      | 'subscription.resumed'
      | 'subscription.completed'
      | 'payment.succeeded'
      | 'payment.failed'
      | 'payment.retries_exhausted'
    ),
    ...(
      | '*'
      | 'checkout.session.completed'
      | 'checkout.session.failed'
      | 'checkout.session.expired'
      | 'checkout.session.canceled'
      | 'sale.succeeded'
      | 'sale.failed'
      | 'payment.refunded'
      | 'payment.partially_refunded'
      | 'payment.voided'
      | 'refund.failed'
      | 'batch.settled'
      | 'batch.settle_failed'
      | 'customer.created'
      | 'customer.updated'
      | 'payment_method.attached'
      | 'payment_method.detached'
      | 'product.created'
      | 'product.updated'
      | 'price.created'
      | 'price.updated'
      | 'subscription.created'
      | 'subscription.activated'
      | 'subscription.updated'
      | 'subscription.cancel_scheduled'
      | 'subscription.cancel_undone'
      | 'subscription.cancelled'
      | 'subscription.pause_scheduled'
      | 'subscription.pause_undone'
      | 'subscription.paused'
      | 'subscription.resumed'
      | 'subscription.completed'
      | 'payment.succeeded'
      | 'payment.failed'
      | 'payment.retries_exhausted'
    )[]
  ]
  /**
   * Whether an event waits until the earlier events of its object are delivered, or have used up their retries.
   */
  ordered?: boolean
  status?: 'enabled' | 'disabled'
}
export interface WebhookEndpointWithSecret {
  id: string
  object: 'webhook_endpoint'
  /**
   * Without user name and password.
   */
  url: string
  /**
   * Whether a user name and a password are sent to it by HTTP basic authentication.
   */
  basic_auth: boolean
  description: string | null
  enabled_events: string[]
  /**
   * Whether an event waits until the earlier events of its object are delivered, or have used up their retries.
   */
  ordered: boolean
  status: 'enabled' | 'disabled'
  disabled_reason: 'manual' | 'gone' | 'failing' | null
  /**
   * The first failure since the last success, in seconds since 1970.
   */
  failing_since: number | null
  /**
   * Seconds since 1970.
   */
  created: number
  /**
   * `whsec_` and base64 of 32 bytes. It is not shown again.
   */
  secret: string
}
