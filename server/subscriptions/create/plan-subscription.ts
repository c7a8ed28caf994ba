import type { SubscriptionCreate } from '../../../contract/subscription.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { Cadence } from '../../catalog/cadence.ts'
import { type PlanPrice, planPrice } from '../../catalog/plan-price.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Cents } from '../../lib/money.ts'
import { dayOf } from '../plan/calendar.ts'
import type { Subscription } from '../subscription.ts'
import { checkNewSubscription, type OrderParts, type SubscriptionTerms } from './check-new-subscription.ts'
import { newSubscription } from './new-subscription.ts'
import { readOrder, type SubscriptionOrder } from './order.ts'
import { findOrderParts } from './order-queries.ts'

/** Subscription as requested by a merchant. */
export interface AskedSubscription {
  business: Business
  input: SubscriptionCreate
  /** Amount and cadence in place of a price: the subscription gets its own price, which is not for sale to others. */
  own?: OwnPrice | undefined
  /** Set in a preview if the customer does not exist yet. */
  isNewCustomer?: boolean
  /** Id of the new subscription; a new one by default. */
  id?: string
}

export interface OwnPrice {
  unitAmount: Cents
  cadence: Cadence
}

/** Everything about a new subscription that is known before anything is written or sent. */
export interface PlannedSubscription {
  business: Business
  /** Current time in the business's time. */
  now: Date
  order: SubscriptionOrder
  parts: OrderParts
  terminal: Terminal | null
  terms: SubscriptionTerms
  waiting: Subscription
  /** Price to create; `null` if all prices exist. */
  plan: PlanPrice | null
  /** What happens within the request: the first bill is charged, the card is verified, or the customer gets a link. */
  first: 'charge' | 'verify' | 'link'
}

/** Name of the product that custom amounts belong to. */
const OWN_PRODUCT = 'Custom'

/**
 * Decides everything about a new subscription. Writes nothing.
 *
 * @throws ApiError `validation_failed`, `not_found`
 * @see SUB-1 to SUB-3, SUB-50
 */
export async function planSubscription(
  { db, clock }: { db: Db; clock: Clock },
  { business, input, own, isNewCustomer = false, id = newId() }: AskedSubscription,
): Promise<PlannedSubscription> {
  const now = businessNow(clock, business)
  const plan = own ? ownPlan(business, own, now) : null
  const order = plan
    ? { ...readOrder({ ...input, price: plan.price.id }, { business, now }), ...ownItem(plan) }
    : readOrder(input, { business, now })
  const { terminal, ...found } = await findOrderParts(db, business, order)
  const parts = { ...found, customerExists: found.customerExists || isNewCustomer, prices: withOwn(found.prices, plan) }
  const terms = checkNewSubscription(order, parts, { business, now })
  const waiting = { ...newSubscription(business, order, terms, now), id }
  return { business, now, order, parts, terminal, terms, waiting, plan, first: firstOf(waiting, business, now) }
}

function ownPlan({ id: businessId, currency }: Business, own: OwnPrice, now: Date): PlanPrice {
  return planPrice({ businessId, name: OWN_PRODUCT, currency, ...own }, now)
}

const ownItem = ({ price }: PlanPrice) => ({ items: [{ priceId: price.id, quantity: 1, param: 'amount' }] })

function withOwn(prices: OrderParts['prices'], plan: PlanPrice | null): OrderParts['prices'] {
  if (plan === null) return prices
  const known = prices.get(plan.price.id) ?? { ...plan.price, productIsActive: false }
  return new Map([[known.id, { ...known, isOwn: true }]])
}

function firstOf({ storedCardId, startDate }: Subscription, business: Business, now: Date) {
  if (storedCardId === null) return 'link'
  const isLater = startDate > dayOf(now, business.timeZone)
  return isLater && business.firstCharge === 'on_start_date' ? 'verify' : 'charge'
}
