import type { RefundFailure } from '../../../contract/refund.ts'
import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { newEvent } from '../../events/event.ts'
import { recordEvent } from '../../events/event-queries.ts'
import { fenceOf, type Operation, type OperationTrigger } from '../operation.ts'
import { finalize, type Outcome } from '../outcome-queries.ts'
import { newReceiptId, type Payment, paymentObject } from '../payment.ts'
import { lockPayment } from '../payment-queries.ts'
import type { PaymentServices } from '../services.ts'
import { afterRefund, type Refund, refundObject } from './refund.ts'
import { finalizeRefund, findRefund } from './refund-queries.ts'

// Step 3 of a refund. The payment is locked first, as in step 1; then the operation is finalized under its fence.
// Everything else is written in the same transaction, so either all of it is recorded or nothing (PAY-6, PAY-9).

export type ApprovedRefund = Required<Pick<Outcome, 'code' | 'message' | 'gatewayRef' | 'issuerReference'>>

/**
 * Records that the refund was made: the payment is refunded in whole or in part.
 *
 * @returns `null` when another writer has decided the outcome first
 * @see REF-5
 */
export function recordRefunded(
  services: PaymentServices,
  operation: Operation,
  approved: ApprovedRefund,
): Promise<Refund | null> {
  return record(services, operation, { ...approved, trigger: 'approved' }, (refund) => ({
    ...refund,
    status: 'succeeded',
    receiptId: newReceiptId(),
  }))
}

/**
 * Records that the refund provably moved no money, and releases its reservation.
 *
 * @returns `null` when another writer has decided the outcome first
 * @see REF-6
 */
export function recordFailedRefund(
  services: PaymentServices,
  operation: Operation,
  failure: { reason: RefundFailure; trigger: Extract<OperationTrigger, 'declined' | 'not sent'>; message: string },
): Promise<Refund | null> {
  const { reason, ...outcome } = failure
  return record(services, operation, outcome, (refund) => ({ ...refund, status: 'failed', failureReason: reason }))
}

async function record(
  services: PaymentServices,
  operation: Operation,
  outcome: Pick<Outcome, 'trigger' | 'code' | 'message' | 'gatewayRef' | 'issuerReference'>,
  ended: (refund: Refund) => Refund,
): Promise<Refund | null> {
  const { db, clock } = services
  const { businessId, id } = operation
  const now = clock.now()
  const business = await findBusiness(db, businessId)
  const open = await findRefund(db, businessId, id)
  if (!business || !open) throw new Error('the refund of an operation is missing')
  const refund = await transaction(db, async (tx) => {
    const payment = await lockPayment(tx, businessId, open.paymentId)
    if (!payment) throw new Error('the payment of a refund is missing')
    if (!(await finalize(tx, { ...fenceOf(operation), ...outcome, now }))) return null
    const refund = ended(open)
    const after = afterwards(payment, refund)
    await finalizeRefund(tx, refund, after, now)
    await recordEvent(tx, eventOf(refund, { before: payment, after }, businessNow(clock, business)))
    return refund
  })
  if (refund) services.count(refund.status === 'succeeded' ? 'refunded' : 'refund_failed')
  return refund
}

function afterwards(payment: Payment, refund: Refund): Payment {
  const after = afterRefund(payment, refund)
  if (refund.status === 'succeeded') return after
  return { ...payment, refundPendingAmount: after.refundPendingAmount }
}

function eventOf(refund: Refund, { before, after }: { before: Payment; after: Payment }, createdAt: Date) {
  const { businessId } = refund
  if (refund.status === 'failed') {
    return newEvent({
      businessId,
      type: 'refund.failed',
      objectId: refund.id,
      data: { object: refundObject(refund) },
      createdAt,
    })
  }
  const isWhole = after.status === 'refunded'
  const { status, refunded_amount } = paymentObject(before)
  return newEvent({
    businessId,
    type: isWhole ? 'payment.refunded' : 'payment.partially_refunded',
    objectId: after.id,
    data: {
      object: paymentObject(after),
      previous_attributes: { ...(isWhole && { status }), refunded_amount },
      refund: refundObject(refund),
    },
    createdAt,
  })
}
