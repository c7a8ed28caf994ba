import type { Subscription as SubscriptionObject } from '../../../contract/subscription.ts'
import { insertPlanPrice } from '../../catalog/plan-price-queries.ts'
import { setChargeBlock } from '../../customers/billed-card-queries.ts'
import { findRecipient } from '../../customers/customer-queries.ts'
import { openFoundCard } from '../../customers/open-stored-card.ts'
import { transaction } from '../../db/transaction.ts'
import { newEvent } from '../../events/event.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import { ApiError } from '../../lib/errors.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { verifyCard } from '../../payments/verify-card.ts'
import { insertSubscription } from '../change-queries.ts'
import { cardDeclined, gatewayUnavailable } from '../charge-refusal.ts'
import { conflict, type Subscription } from '../subscription.ts'
import { readObject } from '../subscription-details.ts'
import { firstCharge, firstOfSeries } from './first-charge.ts'
import { alone, scheduledSubscription } from './new-subscription.ts'
import { type AskedSubscription, type PlannedSubscription, planSubscription } from './plan-subscription.ts'

export interface CreateServices extends ChargeServices {
  letterLimit: LetterLimit
}

/**
 * Creates a subscription. With a card and a start today, the first bill is charged before the subscription exists; with
 * a later start, the scheduler charges it then; without a card, the subscription waits for one.
 *
 * @throws ApiError `validation_failed`, `not_found`, `card_declined`, `conflict`, `unavailable`
 * @see SUB-1 to SUB-5
 */
export async function createSubscription(
  services: CreateServices,
  asked: AskedSubscription,
): Promise<SubscriptionObject> {
  const planned = await planSubscription(services, asked)
  if (planned.first === 'link') return insertNew(services, planned, await withLetter(services, planned.waiting))
  return planned.first === 'verify' ? verifyAndSchedule(services, planned) : chargeFirst(services, planned)
}

/** Drops the e-mail if the customer has received too many: the merchant has the link, too. */
async function withLetter({ db, letterLimit }: CreateServices, waiting: Subscription): Promise<Subscription> {
  const { businessId, customerId, sendsPaymentLink } = waiting
  if (!sendsPaymentLink) return waiting
  const recipient = (await findRecipient(db, businessId, customerId))?.email
  return { ...waiting, sendsPaymentLink: !recipient || (await letterLimit.admits(db, { businessId, recipient })) }
}

async function verifyAndSchedule(services: ChargeServices, planned: PlannedSubscription): Promise<SubscriptionObject> {
  const { waiting } = planned
  const { businessId } = waiting
  const { terminal, card } = await openCard(services, planned)
  const storedCredential = firstOfSeries(waiting, card)
  const verification = await verifyCard(services, { businessId, terminal, card, storedCredential })
  if (verification.outcome === 'declined') {
    const chargeBlock = chargeBlockOf(verification)
    if (chargeBlock !== null && card.stored) await setChargeBlock(services.db, businessId, card.stored.id, chargeBlock)
    throw cardDeclined(verification)
  }
  if (verification.outcome === 'unavailable') throw notVerified()
  return insertNew(services, planned, scheduledSubscription(waiting))
}

function insertNew(
  services: ChargeServices,
  { plan }: PlannedSubscription,
  subscription: Subscription,
): Promise<SubscriptionObject> {
  if (plan === null) return insertObject(services, subscription)
  return transaction(services.db, async (tx) => {
    await insertPlanPrice(tx, plan)
    return insertObject({ ...services, db: tx }, subscription)
  })
}

async function insertObject(services: ChargeServices, subscription: Subscription): Promise<SubscriptionObject> {
  const { businessId, id, createdAt } = subscription
  const object = await readObject(services, alone(subscription))
  const created = newEvent({ businessId, type: 'subscription.created', objectId: id, data: { object }, createdAt })
  await insertSubscription(services.db, { subscription, events: [created] })
  return object
}

async function chargeFirst(services: ChargeServices, planned: PlannedSubscription): Promise<SubscriptionObject> {
  const plan = await beforeIntent(services, () => planFirstCharge(services, planned))
  const charged = await charge(services, plan)
  switch (charged.outcome) {
    case 'recorded':
      if (charged.response.outcome === 'declined') throw cardDeclined(charged.response)
      return charged.response.subscription
    case 'unknown':
      // If it was approved, it is reversed.
      throw new ApiError('card_declined', { message: charged.message })
    case 'not sent':
      throw gatewayUnavailable(charged.message)
    case 'blocked':
      // An identical create is in progress, or the card was detached or blocked meanwhile.
      throw startInProgress()
  }
}

async function planFirstCharge(services: ChargeServices, planned: PlannedSubscription) {
  const { business, waiting, parts, plan } = planned
  const details = { prices: parts.prices, contract: null, checkoutUrl: null }
  return firstCharge(services, { business, waiting, details, plan, ...(await openCard(services, planned)) })
}

async function openCard(services: ChargeServices, { business, terminal, parts }: PlannedSubscription) {
  if (!terminal || !parts.card) throw new Error('the business has no terminal, or the subscription no card')
  return { terminal, card: await openFoundCard(services, business.id, parts.card) }
}

const notVerified = () =>
  gatewayUnavailable(
    'The card could not be verified: the card gateway did not respond. Nothing was charged. Try again.',
  )

function startInProgress() {
  return conflict(
    'An identical subscription (same customer, price and payment method) is being created, or its first charge is ' +
      'being resolved. List the subscriptions of the customer before creating another one.',
  )
}
