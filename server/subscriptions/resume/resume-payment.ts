import { type NewEvent, newEvent } from '../../events/event.ts'
import { newId } from '../../lib/ids.ts'
import type { Operation } from '../../payments/operation.ts'
import { type NewPayment, newPayment, paymentObject } from '../../payments/payment.ts'
import type { Subscription } from '../subscription.ts'

/** What the charge of a resume pays for. */
export interface ResumedPeriod {
  subscription: Subscription
  card: NewPayment['card']
  period: { start: string; end: string }
}

/** @param createdAt in the business's time */
export function resumePayment(
  { subscription, card, period }: ResumedPeriod,
  sale: Operation,
  result: Pick<NewPayment, 'code' | 'message' | 'issuerReference'> & { status: 'succeeded' | 'failed' },
  createdAt: Date,
): NewPayment {
  return newPayment(sale, result, {
    subscriptionId: subscription.id,
    // Id of the bill that an approval fulfills.
    billId: result.status === 'succeeded' ? newId() : null,
    customerId: subscription.customerId,
    card,
    trigger: 'resume',
    attempt: 1,
    taxAmount: subscription.taxAmount,
    surchargeAmount: subscription.surchargeAmount,
    period,
    createdAt,
  })
}

/** What a decline leaves behind: the same whether the response arrived or recovery found it (SUB-33). */
export function declinedResume(
  resumed: ResumedPeriod,
  sale: Operation,
  { code, message }: Pick<NewPayment, 'code' | 'message'>,
  createdAt: Date,
): { payment: NewPayment; event: NewEvent } {
  const payment = resumePayment(resumed, sale, { code, message, issuerReference: null, status: 'failed' }, createdAt)
  const event = newEvent({
    businessId: payment.businessId,
    type: 'payment.failed',
    objectId: payment.id,
    data: { object: paymentObject(payment) },
    createdAt,
  })
  return { payment, event }
}
