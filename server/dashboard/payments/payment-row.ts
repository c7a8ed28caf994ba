import type { PaymentRow } from '../../../contract/dashboard/payment-row.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { Currency } from '../../lib/money.ts'
import { kindOf } from './payment-filter.ts'
import type { StoredPaymentRow } from './payment-row-queries.ts'

export const shownCurrency = (currency: Currency): 'usd' | 'cad' => (currency === 'USD' ? 'usd' : 'cad')

/** Returns a payment as the pages show it. */
export function paymentRow(row: StoredPaymentRow): PaymentRow {
  const { customerId: id, customerName: name, customerEmail: email, cardBrand: brand, cardLast4: last4 } = row
  return {
    id: row.paymentId ?? row.operationId,
    object: 'payment',
    status: row.status,
    kind: kindOf(row.ownerKind),
    operation: row.operationId,
    amount: row.amount,
    surcharge_amount: row.surchargeAmount,
    tax_amount: row.taxAmount,
    refunded_amount: row.refundedAmount,
    refund_pending_amount: row.refundPendingAmount,
    currency: shownCurrency(row.currency),
    code: row.code,
    message: row.message,
    customer: id === null && name === null && email === null ? null : { id, name, email },
    card:
      brand === null || last4 === null
        ? null
        : { brand, first6: row.cardFirst6, last4, payment_method: row.storedCardId },
    session: row.sessionId,
    subscription: row.subscriptionId,
    trigger: row.trigger,
    attempt: row.attempt,
    installment: row.installment === null ? null : { number: row.installment, of: row.installments },
    description: row.description,
    reference: row.reference,
    avs_result: row.avsResult,
    cvv_result: row.cvvResult,
    receipt_id: row.receiptId,
    batch: row.batchId,
    batch_number: row.batchNumber,
    created: epochSeconds(row.createdAt),
  }
}
