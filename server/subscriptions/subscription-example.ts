import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import type { Subscription, SubscriptionPause } from '../../contract/subscription.ts'
import { PRICE_EXAMPLE } from '../catalog/price-openapi.ts'

/** Example for the OpenAPI document: an active monthly subscription whose first bill is paid. */
export const EXAMPLE_SUBSCRIPTION: Subscription = {
  id: EXAMPLE_IDS.subscription,
  object: 'subscription',
  status: 'active',
  customer: EXAMPLE_IDS.customer,
  payment_method: EXAMPLE_IDS.paymentMethod,
  price: EXAMPLE_IDS.price,
  items: {
    object: 'list',
    data: [
      {
        id: EXAMPLE_IDS.subscriptionItem,
        object: 'subscription_item',
        price: PRICE_EXAMPLE,
        quantity: 1,
      },
    ],
    has_more: false,
  },
  currency: 'usd',
  unit_amount: PRICE_EXAMPLE.unit_amount,
  quantity: 1,
  surcharge_rate: null,
  surcharge_amount: 0,
  tax_rate: 8.875,
  tax_amount: 222,
  amount: 2722,
  interval: 'month',
  interval_count: 1,
  installments: 12,
  installments_billed: 1,
  installments_remaining: 11,
  start_date: '2025-11-21',
  billing_cycle_anchor: '2025-11-21',
  current_period_start: 1763701200,
  current_period_end: 1766293200,
  next_billing_at: 1766293200,
  last_payment_at: 1763740860,
  latest_payment: EXAMPLE_IDS.payment,
  last_failed_attempt_at: null,
  retry_count: 0,
  next_retry_at: null,
  cancel_at_period_end: false,
  cancel_at: null,
  canceled_at: null,
  ended_at: null,
  cancellation_details: null,
  pause_at: null,
  paused_at: null,
  pause_reason: null,
  pause: null,
  contract: null,
  checkout_url: null,
  metadata: {},
  created: 1763740860,
}

const EXAMPLE_PAUSE: SubscriptionPause = {
  id: EXAMPLE_IDS.pause,
  status: 'active',
  mode: 'immediate',
  reason: 'Holiday',
  unused_time_behavior: 'preserve_time',
  scheduled_for: null,
  paused_at: 1764604800,
  paid_through_at: 1766293200,
  remaining_paid_seconds: 1688400,
  requires_external_refund_confirmation: false,
  refund_reference: null,
  refund_note: null,
  resume_mode: null,
  resumed_at: null,
}

/** The example subscription while it is paused. */
export const EXAMPLE_PAUSED: Subscription = {
  ...EXAMPLE_SUBSCRIPTION,
  status: 'paused',
  next_billing_at: null,
  paused_at: EXAMPLE_PAUSE.paused_at,
  pause_reason: EXAMPLE_PAUSE.reason,
  pause: EXAMPLE_PAUSE,
}
