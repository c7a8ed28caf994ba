import type { RefundFailure, Refund as RefundObject, RefundStatus } from '../../../contract/refund.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { SubscriptionPayment } from '../subscription-payment.ts'

/** What a merchant gives back of a payment. It has the id of its operation. */
export interface Refund {
  businessId: string
  id: string
  paymentId: string
  /** Of the payment; `null` when that is not of a subscription. */
  subscriptionId: string | null
  customerId: string | null
  status: RefundStatus
  amount: Cents
  currency: Currency
  /** Only of a failed one. */
  failureReason: RefundFailure | null
  /** Only of a succeeded one. */
  receiptId: string | null
  createdAt: Date
}

/**
 * As the merchant API and its events show it.
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

/** What may still be refunded: neither refunded nor reserved by an open refund. */
export const restOf = ({ amount, refundedAmount, refundPendingAmount }: SubscriptionPayment): Cents =>
  (amount - refundedAmount - refundPendingAmount) as Cents

/** The payment after an approved refund, whose amount was reserved. */
export function afterRefund(payment: SubscriptionPayment, { amount }: Pick<Refund, 'amount'>): SubscriptionPayment {
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
