import type { EventType } from '../../../contract/event.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import type { ApprovedPayment } from '../../payments/approved-payment.ts'
import type { Session } from './session.ts'
import { sessionTransaction } from './session-transaction.ts'
import { detailsView } from './session-view.ts'

/**
 * Builds an event with the session as it is now. The object has the fields of the details, except the token and the URL
 * that open the session, and with only the last four digits of the card.
 *
 * @see EVT-2, EVT-4
 */
export function sessionEvent(
  type: Extract<EventType, `checkout.session.${string}`>,
  session: Session,
  more: { payment?: ApprovedPayment | null; createdAt: Date },
): NewEvent {
  const { payment = null, createdAt } = more
  const { businessId, id: objectId, status } = session
  const transaction = sessionTransaction(session, payment)
  const object = {
    ...detailsView(session, status, payment?.surchargeAmount ?? null),
    transaction: transaction && { ...transaction, card: `${MASKED}${transaction.card.slice(-4)}` },
  }
  return newEvent({ businessId, type, objectId, data: { object }, createdAt })
}

const MASKED = '*'.repeat(12)
