import type { RefundFailure, Refund as RefundObject, RefundStatus } from '../../../contract/refund.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { Payment } from '../payment.ts'

/** Money that a merchant returns from a payment. A refund has the same id as its operation. */
export interface Refund {
  businessId: string
  id: string
  paymentId: string
  /** Subscription of the payment; `null` if the payment does not belong to one. */
  subscriptionId: string | null
  customerId: string | null
  status: RefundStatus
  amount: Cents
  currency: Currency
  /** Set only for a failed refund. */
  failureReason: RefundFailure | null
  /** Set only for a succeeded refund. */
  receiptId: string | null
  createdAt: Date
}

/**
 * Returns the refund as the merchant API and its events show it.
 *
 * @see REF-9
 */
export function refundObject(refund: Refund): RefundObject {
  return {
    id: refund.id,
    object: 'refund',
    payment: refund.paymentId,
    subscription: refund.subscriptionId,
    customer: refund.customerId,
    amount: refund.amount,
    currency: refund.currency === 'USD' ? 'usd' : 'cad',
    status: refund.status,
    failure_reason: refund.failureReason,
    receipt_id: refund.receiptId,
    created: epochSeconds(refund.createdAt),
  }
}

/** Returns the amount that can still be refunded: neither refunded nor reserved by an open refund. */
export const restOf = ({ amount, refundedAmount, refundPendingAmount }: Payment): Cents =>
  (amount - refundedAmount - refundPendingAmount) as Cents

/** Returns the payment as it is after an approved refund, whose amount was reserved. */
export function afterRefund(payment: Payment, { amount }: Pick<Refund, 'amount'>): Payment {
  const refundedAmount = (payment.refundedAmount + amount) as Cents
  return {
    ...payment,
    refundedAmount,
    refundPendingAmount: (payment.refundPendingAmount - amount) as Cents,
    status: refundedAmount === payment.amount ? 'refunded' : payment.status,
  }
}

export const noSuchRefund = () =>
  new ApiError('not_found', { message: 'No such refund', errors: { id: ['does not exist in this business'] } })
