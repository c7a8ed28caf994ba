import type { PAYMENT_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import type { Cents } from '../../lib/money.ts'
import type { CsvCell } from '../export/csv.ts'
import { kindOf } from './payment-filter.ts'
import type { StoredPaymentRow } from './payment-row-queries.ts'

const cents = (amount: number) => ({ cents: amount as Cents })

/** Returns the amount that the merchant keeps: 0 if it was not paid, or was voided. */
function netOf({ status, amount, refundedAmount }: StoredPaymentRow): number {
  const isPaid = status === 'succeeded' || status === 'partially_refunded' || status === 'refunded'
  return isPaid ? amount - refundedAmount : 0
}

/** Cells of an exported payment, by column. */
export const PAYMENT_CELLS: Record<(typeof PAYMENT_COLUMNS)[number], (row: StoredPaymentRow) => CsvCell> = {
  created: (row) => row.createdAt,
  id: (row) => row.paymentId ?? row.operationId,
  status: (row) => row.status,
  kind: (row) => kindOf(row.ownerKind),
  amount: (row) => cents(row.amount),
  surcharge_amount: (row) => cents(row.surchargeAmount),
  tax_amount: (row) => cents(row.taxAmount),
  refunded_amount: (row) => cents(row.refundedAmount),
  net_amount: (row) => cents(netOf(row)),
  currency: (row) => row.currency,
  customer_name: (row) => row.customerName,
  customer_email: (row) => row.customerEmail,
  card_brand: (row) => row.cardBrand,
  card_last4: (row) => row.cardLast4,
  code: (row) => row.code,
  message: (row) => row.message,
  avs_result: (row) => row.avsResult,
  cvv_result: (row) => row.cvvResult,
  receipt_id: (row) => row.receiptId,
  subscription: (row) => row.subscriptionId,
  session: (row) => row.sessionId,
  description: (row) => row.description,
  reference: (row) => row.reference,
  trigger: (row) => row.trigger,
  attempt: (row) => row.attempt,
  batch: (row) => row.batchId,
}
