import type { SubscriptionCreate, Subscription as SubscriptionObject } from '../../../contract/subscription.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { setChargeBlock } from '../../customers/billed-card-queries.ts'
import { openFoundCard } from '../../customers/open-stored-card.ts'
import { newEvent } from '../../events/event.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { verifyCard } from '../../payments/verify-card.ts'
import { insertSubscription } from '../change-queries.ts'
import { cardDeclined, chargeRefusal, gatewayUnavailable } from '../charge-refusal.ts'
import { dayOf } from '../plan/calendar.ts'
import { conflict, type Subscription } from '../subscription.ts'
import { readObject } from '../subscription-details.ts'
import { checkNewSubscription, type OrderParts } from './check-new-subscription.ts'
import { type FirstCharge, firstCharge, firstOfSeries } from './first-charge.ts'
import { alone, newSubscription, scheduledSubscription } from './new-subscription.ts'
import { readOrder } from './order.ts'
import { findOrderParts } from './order-queries.ts'

/**
 * Creates a subscription. With a card and a start today its first bill is charged before it exists; with a later start
 * the scheduler charges it then; without a card it waits for one.
 *
 * @throws ApiError `validation_failed`, `not_found`, `card_declined`, `conflict`, `unavailable`
 * @see SUB-1 to SUB-5
 */
export async function createSubscription(
  services: ChargeServices,
  { business, input }: { business: Business; input: SubscriptionCreate },
): Promise<SubscriptionObject> {
  const { db, clock } = services
  const now = businessNow(clock, business)
  const order = readOrder(input, { business, now })
  const { terminal, ...parts } = await findOrderParts(db, business, order)
  const terms = checkNewSubscription(order, parts, { business, now })
  const waiting = newSubscription(business, order, terms, now)
  if (waiting.storedCardId === null) return insertNew(services, waiting)
  const isLater = waiting.startDate > dayOf(now, business.timeZone)
  const ordered = { business, waiting, terminal, parts }
  return isLater && business.firstCharge === 'on_start_date'
    ? verifyAndSchedule(services, ordered)
    : chargeFirst(services, ordered)
}

interface Ordered extends Pick<FirstCharge, 'business' | 'waiting'> {
  terminal: Terminal | null
  parts: OrderParts
}

async function verifyAndSchedule(services: ChargeServices, ordered: Ordered): Promise<SubscriptionObject> {
  const { waiting } = ordered
  const { businessId } = waiting
  const { terminal, card } = await openCard(services, ordered)
  const storedCredential = firstOfSeries(waiting, card)
  const verification = await verifyCard(services, { businessId, terminal, card, storedCredential })
  if (verification.outcome === 'declined') {
    const chargeBlock = chargeBlockOf(verification)
    if (chargeBlock !== null && card.stored) await setChargeBlock(services.db, businessId, card.stored.id, chargeBlock)
    throw cardDeclined(verification)
  }
  if (verification.outcome === 'unavailable') throw notVerified()
  return insertNew(services, scheduledSubscription(waiting))
}

async function insertNew(services: ChargeServices, subscription: Subscription): Promise<SubscriptionObject> {
  const { businessId, id, createdAt } = subscription
  const object = await readObject(services, alone(subscription))
  const created = newEvent({ businessId, type: 'subscription.created', objectId: id, data: { object }, createdAt })
  await insertSubscription(services.db, { subscription, events: [created] })
  return object
}

async function chargeFirst(services: ChargeServices, ordered: Ordered): Promise<SubscriptionObject> {
  try {
    const plan = await beforeIntent(services, () => planFirstCharge(services, ordered))
    const response = await charge(services, {
      ...plan,
      // An identical create is open, or the card was detached or blocked meanwhile.
      blocked: async () => {
        throw startInProgress()
      },
    })
    if (response.outcome === 'declined') throw cardDeclined(response)
    return response.subscription
  } catch (error) {
    throw chargeRefusal(error)
  }
}

async function planFirstCharge(services: ChargeServices, ordered: Ordered) {
  const { business, waiting, parts } = ordered
  const details = { prices: parts.prices, contract: null, checkoutUrl: null }
  return firstCharge(services, { business, waiting, details, ...(await openCard(services, ordered)) })
}

async function openCard(services: ChargeServices, { business, terminal, parts }: Ordered) {
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
