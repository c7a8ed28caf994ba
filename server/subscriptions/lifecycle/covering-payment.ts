import type { Db } from '../../db/connection.ts'
import { findPayment } from '../../payments/payment-queries.ts'
import type { CoveringPayment } from '../plan/prepaid.ts'
import type { Subscription } from '../subscription.ts'

/**
 * Finds the payment that paid for the running period, or for one that has not begun yet, with its refunds or void.
 *
 * @returns `null` if the subscription has no paid time
 */
export async function findCoveringPayment(
  db: Db,
  { businessId, paid }: Pick<Subscription, 'businessId' | 'paid'>,
): Promise<CoveringPayment | null> {
  if (paid === null || paid.paymentId === null) return null
  const payment = await findPayment(db, businessId, paid.paymentId)
  if (!payment) throw new Error('the payment that covers a subscription is missing')
  return {
    amount: payment.amount,
    refundedAmount: payment.refundedAmount,
    voided: payment.status === 'voided',
    periodStart: paid.from,
    periodEnd: paid.throughAt,
    paidSeconds: paid.seconds,
  }
}
