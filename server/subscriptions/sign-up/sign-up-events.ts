import type { Session } from '../../checkout/sessions/session.ts'
import { sessionEvent } from '../../checkout/sessions/session-event.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import type { ApprovedPayment } from '../../payments/approved-payment.ts'
import { type NewPayment, paymentObject } from '../../payments/payment.ts'

// One event for each fact: the subscription, its first payment and the session (CHK-55).

export function paymentEvents(paid: NewPayment | null): NewEvent[] {
  if (paid === null) return []
  const { businessId, id: objectId, createdAt } = paid
  return [
    newEvent({ businessId, type: 'payment.succeeded', objectId, data: { object: paymentObject(paid) }, createdAt }),
  ]
}

export function sessionCompleted(
  session: Session,
  of: { customerId: string; subscriptionId: string; transaction: ApprovedPayment | null; at: Date },
): NewEvent {
  const { customerId: payerCustomerId, subscriptionId, transaction: payment, at } = of
  const completed: Session = { ...session, status: 'COMPLETED', completedAt: at, payerCustomerId, subscriptionId }
  return sessionEvent('checkout.session.completed', completed, { payment, createdAt: at })
}
