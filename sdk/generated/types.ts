// Printed from the OpenAPI document of the service by `npm run sdk:types`. Do not edit.

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
 * At least one of name and email.
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
 * What is absent stays; null clears; metadata is replaced as a whole.
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
   * How many, at the most. 10 unless said.
   */
  limit?: number
  /**
   * The id that the older page begins after.
   */
  starting_after?: string
  /**
   * The id that the newer page ends before.
   */
  ending_before?: string
}
export interface ListCustomersQuery {
  /**
   * How many, at the most. 10 unless said.
   */
  limit?: number
  /**
   * The id that the older page begins after.
   */
  starting_after?: string
  /**
   * The id that the newer page ends before.
   */
  ending_before?: string
}
export interface ListPaymentMethodsQuery {
  /**
   * How many, at the most. 10 unless said.
   */
  limit?: number
  /**
   * The id that the older page begins after.
   */
  starting_after?: string
  /**
   * The id that the newer page ends before.
   */
  ending_before?: string
  /**
   * Only those of this customer.
   */
  customer?: string
}
export interface ListPricesQuery {
  /**
   * How many, at the most. 10 unless said.
   */
  limit?: number
  /**
   * The id that the older page begins after.
   */
  starting_after?: string
  /**
   * The id that the newer page ends before.
   */
  ending_before?: string
  /**
   * Only those of this product.
   */
  product?: string
  /**
   * Only those that are, or are not.
   */
  active?: boolean
}
export interface ListProductsQuery {
  /**
   * How many, at the most. 10 unless said.
   */
  limit?: number
  /**
   * The id that the older page begins after.
   */
  starting_after?: string
  /**
   * The id that the newer page ends before.
   */
  ending_before?: string
  /**
   * Only those that are, or are not.
   */
  active?: boolean
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
   * true unless said.
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
   * day 1; week 1, 2; month 1, 3, 6; year 1. 1 unless said.
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
   * true unless said.
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
   * The newest, newest first.
   *
   * @maxItems 100
   */
  prices: Price[]
  /**
   * There are older ones: list the prices of this product.
   */
  prices_has_more: boolean
}
