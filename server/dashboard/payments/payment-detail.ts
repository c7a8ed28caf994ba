import type { PaymentDetail, Unrefundable } from '../../../contract/dashboard/payments-api.ts'
import type { RefundReason } from '../../../contract/dashboard/refund-reasons.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { isUuid } from '../../lib/ids.ts'
import { type Payment, paymentObject } from '../../payments/payment.ts'
import { findPayment } from '../../payments/payment-queries.ts'
import { noSuchPayment } from '../../payments/refunds/begin-refund.ts'
import { refundObject, restOf } from '../../payments/refunds/refund.ts'
import { findResultOfOperation } from '../../three-d-secure/shown-authentication-queries.ts'
import { shownAuthentication } from '../shown-authentication.ts'
import { findPaymentFacts, listRefundsOf, type PaymentFacts, type RefundBy } from './payment-detail-queries.ts'
import { paymentRow } from './payment-row.ts'
import { findPaymentRow, type StoredPaymentRow } from './payment-row-queries.ts'

/** A payment with what its page needs. Without `payment`, it is an attempt that did not become one. */
export interface LoadedPayment {
  row: StoredPaymentRow
  payment: Payment | null
  facts: PaymentFacts | null
}

/**
 * @param id id of the payment, or of its sale
 * @throws ApiError `not_found`
 */
export async function loadPayment(db: Db, businessId: string, id: string): Promise<LoadedPayment> {
  const row = isUuid(id) ? await findPaymentRow(db, businessId, id) : undefined
  if (!row) throw noSuchPayment()
  const { paymentId } = row
  if (paymentId === null) return { row, payment: null, facts: null }
  const [payment, facts] = [
    await findPayment(db, businessId, paymentId),
    await findPaymentFacts(db, businessId, paymentId),
  ]
  return { row, payment: payment ?? null, facts: facts ?? null }
}

export async function paymentDetail(db: Db, businessId: string, id: string): Promise<PaymentDetail> {
  const loaded = await loadPayment(db, businessId, id)
  const { row, payment, facts } = loaded
  const used = await findResultOfOperation(db, businessId, row.operationId)
  const refunds = payment === null ? [] : await listRefundsOf(db, businessId, payment.id)
  return {
    ...paymentRow(row),
    payment: payment && paymentObject(payment),
    refunds: refunds.map(shownRefund),
    refundable_amount: refundImpossible(loaded) === null && payment ? restOf(payment) : 0,
    shown_batch: facts && shownBatch(facts),
    is_in_progress: facts?.isInProgress ?? false,
    refund_impossible: refundImpossible(loaded),
    void_impossible: voidImpossible(loaded),
    period: payment?.period ?? null,
    issuer_reference: facts?.issuerReference ?? null,
    source: facts?.source ?? null,
    authentication: used ? shownAuthentication(used) : null,
  }
}

export function shownBatch({ batchId: id, batchNumber, batchStatus, batchSettledAt }: PaymentFacts) {
  if (id === null || batchNumber === null || batchStatus === null) return null
  return { id, number: batchNumber, status: batchStatus, closed_at: batchSettledAt && epochSeconds(batchSettledAt) }
}

const shownRefund = (refund: RefundBy) => ({
  ...refundObject(refund),
  code: refund.code,
  message: refund.message,
  by: refund.by,
  reason: refund.reason as RefundReason | null,
  note: refund.note,
})

/** Returns why a payment cannot be refunded; `null` if it can. The use case checks again, under its lock. */
export function refundImpossible({ payment, facts }: LoadedPayment): Unrefundable | null {
  if (payment === null) return 'no_payment'
  if (payment.status !== 'succeeded') return payment.status
  if (facts?.isInProgress) return 'in_progress'
  return restOf(payment) === 0 ? 'refunded' : null
}

export function voidImpossible(loaded: LoadedPayment): Unrefundable | null {
  const { payment, facts } = loaded
  if (payment?.status === 'succeeded' && payment.refundedAmount > 0) return 'partially_refunded'
  const impossible = refundImpossible(loaded)
  if (impossible !== null) return impossible
  if (facts?.batchStatus === 'settled') return 'batch_settled'
  return facts?.batchStatus === 'settling' ? 'batch_settling' : null
}
