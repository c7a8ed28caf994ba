import type { PaymentKind, PaymentRowStatus } from '../../../contract/dashboard/payment-row.ts'
import type { PaymentTrigger } from '../../../contract/payment.ts'

// Options of the filters, in the order of their menus. The contract has them as schemas, which pages do not load.

export const PAYMENT_ROW_STATUSES = [
  'succeeded',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
  'pending',
  'reversed',
  'not_charged',
] as const satisfies readonly PaymentRowStatus[]
export const PAYMENT_KINDS = ['session', 'sale', 'subscription'] as const satisfies readonly PaymentKind[]
export const PAYMENT_TRIGGERS = [
  'initial',
  'scheduled',
  'retry',
  'manual',
  'resume',
] as const satisfies readonly PaymentTrigger[]
export const CARD_BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const
