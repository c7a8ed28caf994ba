import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import type { Payment } from '../../contract/payment.ts'

/** A payment of a subscription, for the OpenAPI document. */
export const PAYMENT_EXAMPLE: Payment = {
  id: EXAMPLE_IDS.payment,
  object: 'payment',
  subscription: EXAMPLE_IDS.subscription,
  customer: EXAMPLE_IDS.customer,
  payment_method: EXAMPLE_IDS.paymentMethod,
  amount: 2500,
  surcharge_amount: 0,
  tax_amount: 0,
  currency: 'usd',
  status: 'succeeded',
  refunded_amount: 0,
  attempt: 1,
  trigger: 'scheduled',
  failure_code: null,
  failure_message: null,
  next_retry_at: null,
  period: { start: '2026-11-01', end: '2026-12-01' },
  batch: null,
  receipt_id: 'R7K2M9QX4TB',
  created: 1763740860,
}
