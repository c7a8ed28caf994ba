import type { Session } from '../../checkout/sessions/session.ts'
import { detailsView } from '../../checkout/sessions/session-view.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { type Payment, transactionView } from '../../payments/payment.ts'
import { type NewSubscriptionPayment, paymentObject } from '../../payments/subscription-payment.ts'

// One fact, one event: of the subscription, of its first payment, and of the session (CHK-55).

export function paymentEvents(paid: NewSubscriptionPayment | null): NewEvent[] {
  if (paid === null) return []
  const { businessId, id: objectId, createdAt } = paid
  return [
    newEvent({ businessId, type: 'payment.succeeded', objectId, data: { object: paymentObject(paid) }, createdAt }),
  ]
}

export function sessionCompleted(
  session: Session,
  of: { customerId: string; subscriptionId: string; transaction: Payment | null; at: Date },
): NewEvent {
  const { customerId: payerCustomerId, subscriptionId, transaction, at } = of
  const completed: Session = { ...session, status: 'COMPLETED', completedAt: at, payerCustomerId, subscriptionId }
  const object = {
    ...detailsView(completed, 'COMPLETED', transaction?.surchargeAmount ?? null),
    last_decline: null,
    transaction: transaction && transactionView(transaction),
  }
  return newEvent({
    businessId: session.businessId,
    type: 'checkout.session.completed',
    objectId: session.id,
    data: { object },
    createdAt: at,
  })
}
