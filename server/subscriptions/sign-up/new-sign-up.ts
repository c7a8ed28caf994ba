import { type PlanPrice, planPrice } from '../../catalog/plan-price.ts'
import type { Price } from '../../catalog/price.ts'
import { findPrice } from '../../catalog/price-queries.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import { newEvent } from '../../events/event.ts'
import type { NewPayment } from '../../payments/payment.ts'
import type { NewSubscription } from '../change-queries.ts'
import { subscriptionObject } from '../subscription-object.ts'
import { billPayment, expectedIds, partiesOf, type SignUpInput } from './first-bill.ts'
import type { SignUpParties } from './party-queries.ts'
import { planOf, subscriptionOfSession } from './session-subscription.ts'
import { paymentEvents, sessionCompleted } from './sign-up-events.ts'
import { alone, started } from './start.ts'

export interface NewSignUp {
  parties: SignUpParties
  /** Payment of the first bill; `null` if the card was only verified. */
  paid: NewPayment | null
  made: NewSubscription & { plan: PlanPrice }
}

/** Finds the price that an earlier payer created for the same plan. It stays unchanged, and the events show it. */
export async function findPlanPrice(db: Db, session: Session, at: Date): Promise<Price | undefined> {
  return findPrice(db, session.businessId, planPrice(planOf(session), at).price.id)
}

/**
 * Returns everything that a session of mode subscription creates.
 *
 * @see CHK-19, CHK-20
 */
export function newSignUp(input: SignUpInput, knownPrice: Price | undefined): NewSignUp {
  const { payment, session, start, first, at } = input
  const parties = partiesOf(input)
  const ids = expectedIds(parties, payment)
  const plan = planPrice(planOf(session), at)
  const waiting = subscriptionOfSession({ session, business: payment.loaded.business }, start, {
    ...ids,
    priceId: plan.price.id,
    surchargeAmount: payment.surchargeAmount,
    createdAt: at,
  })
  const transaction = first === null ? null : first.transaction
  const { subscription, bills } = started(waiting, start, transaction, at)
  const paid = first && billPayment(first, subscription, bills[0], payment)
  const prices = new Map([[plan.price.id, knownPrice ?? plan.price]])
  const object = subscriptionObject(alone(subscription), { prices, contract: null, checkoutUrl: null })
  const { businessId } = session
  const events = [
    newEvent({ businessId, type: 'subscription.created', objectId: subscription.id, data: { object }, createdAt: at }),
    ...paymentEvents(paid),
    sessionCompleted(session, { ...ids, subscriptionId: subscription.id, transaction, at }),
  ]
  return { parties, paid, made: { subscription, bills, events, plan } }
}
