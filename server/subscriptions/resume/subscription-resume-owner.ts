import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import { recordEvent } from '../../events/event-queries.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { blockDeclinedCard } from '../../payments/charge-block.ts'
import type { FoundDecline, ReversingOwner } from '../../payments/charge-owner.ts'
import type { Operation } from '../../payments/operation.ts'
import { recordPayment } from '../../payments/payment-queries.ts'
import { billingDay, dayOf } from '../plan/calendar.ts'
import { declinedResume, type ResumedPeriod } from './resume-payment.ts'
import { findSubscriptionOfPause } from './resume-queries.ts'

/**
 * Owner of the charge that ends a pause; the owner id is that of the pause. The merchant got 402, so an approval found
 * later is reversed, and the subscription stays paused.
 *
 * @see SUB-33
 */
export function subscriptionResumeOwner({ clock }: { clock: Clock }): ReversingOwner {
  return {
    kind: 'subscription_resume',
    onRecoveredApproval: 'reverse',
    unconfirmedMessage: 'The subscription stays paused. If the charge turns out to be approved, it will be reversed.',
    // The event is recorded with the payment.
    failed: async () => null,
    declined: (tx, sale, decline) => recordDeclined(tx, clock, sale, decline),
  }
}

async function recordDeclined(tx: Tx, clock: Clock, sale: Operation, decline: FoundDecline): Promise<void> {
  const { businessId, storedCard, sentAt } = sale
  const business = await findBusiness(tx, businessId)
  const subscription = await findSubscriptionOfPause(tx, businessId, sale.owner.id)
  const card = await findBilledCard(tx, businessId, storedCard?.id)
  if (!business || !subscription || !card) throw new Error('the subscription or the card of a resume is missing')
  const { timeZone, cadence } = subscription
  const start = dayOf(addSeconds(sentAt, business.clockOffsetSeconds), timeZone)
  const resumed: ResumedPeriod = { subscription, card, period: { start, end: billingDay(start, cadence, 1) } }
  const { payment, event } = declinedResume(resumed, sale, decline, businessNow(clock, business))
  await recordPayment(tx, payment)
  await recordEvent(tx, event)
  await blockDeclinedCard(tx, sale, decline)
}
