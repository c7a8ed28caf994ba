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
export interface Payment {
  id: string
  object: 'payment'
  /**
   * `null` only in events, of a payment that is not of a subscription.
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
   * Of a failed payment: when the bill is tried again.
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
 * The days that were billed; `end` is exclusive.
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
export interface Refund {
  id: string
  object: 'refund'
  payment: string
  /**
   * `null` only in events, of a payment that is not of a subscription.
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
   * Of 24 hours each.
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
     * Of them, those that were approved.
     */
    approved: number
    /**
     * Of them, those that were declined.
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
