import { type PlanPrice, planPrice } from '../../catalog/plan-price.ts'
import type { SessionPayment } from '../../checkout/pay/session-payment.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import { detailsView } from '../../checkout/sessions/session-view.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { type Payment, transactionView } from '../../payments/payment.ts'
import { type NewSubscriptionPayment, paymentObject } from '../../payments/subscription-payment.ts'
import type { NewSubscription } from '../change-queries.ts'
import { subscriptionObject } from '../subscription-object.ts'
import { billPayment, expectedIds, type FirstSale, partiesOf, sessionPayment } from './first-bill.ts'
import { planOf, subscriptionOfSession } from './session-subscription.ts'
import type { SignUpParties } from './sign-up-queries.ts'
import { alone, type Start, started } from './start.ts'

export interface NewSignUp {
  parties: SignUpParties
  /** Of the first bill; `null` when the card was only verified. */
  paid: NewSubscriptionPayment | null
  made: NewSubscription & { plan: PlanPrice }
}

/**
 * Everything that a session of mode subscription begins.
 *
 * @param session as the payment has left it
 * @param first `null` when the card was only verified
 * @param at in the business's time
 * @see CHK-19, CHK-20
 */
export function newSignUp(
  payment: SessionPayment,
  session: Session,
  start: Start,
  first: FirstSale | null,
  at: Date,
): NewSignUp {
  const parties = partiesOf(payment, first?.result.networkTransactionId ?? null, at)
  const ids = expectedIds(parties, payment)
  const plan = planPrice(planOf(session), at)
  const waiting = subscriptionOfSession({ session, business: payment.loaded.business }, start, {
    ...ids,
    priceId: plan.price.id,
    surchargeAmount: payment.surchargeAmount,
    createdAt: at,
  })
  const transaction = first && sessionPayment(payment, first, ids.customerId, at)
  const { subscription, bills } = started(waiting, start, transaction, at)
  const paid = first && transaction && billPayment(transaction, first, subscription, bills[0], payment)
  const prices = new Map([[plan.price.id, plan.price]])
  const object = subscriptionObject(alone(subscription), { prices, contract: null, checkoutUrl: null })
  const { businessId } = session
  const events = [
    newEvent({ businessId, type: 'subscription.created', objectId: subscription.id, data: { object }, createdAt: at }),
    ...paymentEvents(paid),
    sessionCompleted(session, { ...ids, subscriptionId: subscription.id, transaction, at }),
  ]
  return { parties, paid, made: { subscription, bills, events, plan } }
}

export function paymentEvents(paid: NewSubscriptionPayment | null): NewEvent[] {
  if (paid === null) return []
  const { businessId, id: objectId, createdAt } = paid
  return [
    newEvent({ businessId, type: 'payment.succeeded', objectId, data: { object: paymentObject(paid) }, createdAt }),
  ]
}

function sessionCompleted(
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
