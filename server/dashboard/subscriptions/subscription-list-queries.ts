import { sql } from 'kysely'
import type { Static } from 'typebox'
import {
  type CardExpiry,
  frequencyLabelled,
  STATUS_WORDS,
  type StatusWord,
  type SubscriptionTab,
} from '../../../contract/dashboard/subscription-words.ts'
import type { SubscriptionsQuery } from '../../../contract/dashboard/subscriptions-api.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import { beginsWith, formOf } from '../../db/search.ts'
import { billingDay, type Day, dayOf } from '../../subscriptions/plan/calendar.ts'
import type { LoadedSubscription, SubscriptionStatus } from '../../subscriptions/subscription.ts'
import { findSubscriptions, hasStatus, type PassedSubscription } from '../../subscriptions/subscription-queries.ts'
import { countUpTo } from '../count-queries.ts'
import { requireOrder } from '../day-range.ts'

export type SubscriptionFilters = Omit<Static<typeof SubscriptionsQuery>, keyof PageRequest>

const OF_TAB: Record<SubscriptionTab, readonly SubscriptionStatus[]> = {
  active: ['active'],
  retrying: ['active'],
  awaiting_card: ['pending_payment_method'],
  paused: ['paused'],
  ended: ['canceled', 'completed'],
}

interface Which {
  businessId: string
  filters: SubscriptionFilters
  /** Subscriptions with a change that has fallen due and is not written yet. */
  passed: readonly PassedSubscription[]
  /** Current local day of the business. */
  today: Day
  /**
   * Prices of the product in the filter. They are read beforehand: a statement planned without knowing how few
   * subscriptions have them would read all.
   */
  pricesOfProduct: readonly string[]
}

/**
 * Selects the filtered subscriptions of a business, without an order.
 *
 * @throws ApiError `validation_failed` when the last day is before the first
 */
function filteredSubscriptions(db: Db, { businessId, filters, passed, today, pricesOfProduct }: Which) {
  const { tab, status, customer, price, product, frequency, next_from: from, next_to: to } = filters
  requireOrder({ from, to }, 'next_')
  const cadence = frequency && frequencyLabelled(frequency)
  return db
    .selectFrom('subscription')
    .select('id')
    .where('business_id', '=', businessId)
    .$if(customer !== undefined, (query) => query.where('customer_id', '=', customer ?? ''))
    .$if(tab !== undefined, (query) => query.where(oneOf(tab ? OF_TAB[tab] : [], passed)))
    .$if(tab === 'retrying', (query) => query.where(IS_RETRYING))
    .$if(status !== undefined, (query) => query.where(oneOf(statusesOf(status), passed)))
    .$if(price !== undefined, (query) => query.where(hasPrice([price ?? ''])))
    .$if(product !== undefined, (query) => query.where(hasPrice(pricesOfProduct)))
    .$if(cadence !== undefined, (query) =>
      query.where('interval_unit', '=', cadence?.interval ?? '').where('interval_count', '=', cadence?.count ?? 0),
    )
    .$if(from !== undefined, (query) => query.where(sql<boolean>`next_billing_date >= ${from}::date`))
    .$if(to !== undefined, (query) => query.where(sql<boolean>`next_billing_date <= ${to}::date`))
    .$if(filters.card_expiring !== undefined, (query) =>
      query.where(cardExpires(filters.card_expiring ?? 'expired', today)),
    )
    .$if(filters.reference !== undefined, (query) => query.where(hasReference(filters.reference ?? '')))
}

/**
 * Counts the subscriptions that match, up to 10,001. Subscriptions of one price are counted in the table of their
 * prices if nothing else is filtered.
 */
export function countFiltered(db: Db, which: Which): Promise<number> {
  const { businessId, filters, pricesOfProduct } = which
  const { price, product, ...rest } = filters
  const prices = price === undefined ? pricesOfProduct : [price]
  const isAlone = (price === undefined) !== (product === undefined) && isEmpty(rest)
  // A subscription with two prices of the product would be counted twice.
  if (!isAlone || prices.length !== 1) return countUpTo(db, filteredSubscriptions(db, which))
  const ofPrice = db
    .selectFrom('subscription_price')
    .select('subscription_id')
    .where('business_id', '=', businessId)
    .where('price_id', '=', prices[0] ?? '')
  return countUpTo(db, ofPrice)
}

const isEmpty = (filters: Omit<SubscriptionFilters, 'price' | 'product'>) =>
  Object.entries(filters).every(([name, value]) => PAGE.has(name) || value === undefined)
const PAGE: ReadonlySet<string> = new Set(['limit', 'starting_after', 'ending_before'])

const statusesOf = (word: StatusWord | undefined): SubscriptionStatus[] =>
  (Object.keys(STATUS_WORDS) as SubscriptionStatus[]).filter((status) => STATUS_WORDS[status] === word)

const oneOf = (statuses: readonly SubscriptionStatus[], passed: readonly PassedSubscription[]) =>
  sql<boolean>`(${sql.join(
    statuses.map((status) => hasStatus(status, passed)),
    sql` or `,
  )})`

const IS_RETRYING = sql<boolean>`exists (select from bill b where b.business_id = subscription.business_id
  and b.subscription_id = subscription.id and b.status = 'PENDING' and b.failed_attempts > 0)`

/** Compares all columns of the key, so that a page can be read in the order of either table. */
function hasPrice(prices: readonly string[]) {
  const [price] = prices
  const isOne = prices.length === 1 ? sql`x.price_id = ${price}::uuid` : sql`x.price_id = any(${prices}::uuid[])`
  return sql<boolean>`exists (select from subscription_price x
    where x.business_id = subscription.business_id and ${isOne}
      and x.created_at = subscription.created_at and x.subscription_id = subscription.id)`
}

const hasReference = (beginning: string) =>
  sql<boolean>`metadata ? 'reference' and ${beginsWith(formOf(sql`metadata ->> 'reference'`), beginning)}`

/** Whether the card of a subscription expires then. A card is valid until the end of its month. */
function cardExpires(when: CardExpiry, today: Day) {
  const month = sql`c.exp_year * 12 + c.exp_month`
  const ahead = monthNumber(when === 'next_month' ? nextMonth(today) : today)
  const isThen = when === 'expired' ? sql`${month} < ${ahead}` : sql`${month} = ${ahead}`
  return sql<boolean>`status in ('active', 'paused') and exists (select from stored_card c
    where c.business_id = subscription.business_id and c.id = subscription.stored_card_id and ${isThen})`
}

const nextMonth = (today: Day) => billingDay(today, { interval: 'month', count: 1 }, 1)
const monthNumber = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Returns a page of ids, newest first. */
export async function selectFiltered(db: Db, which: Which, page: PageRequest): Promise<Page<string>> {
  const { businessId } = which
  const query = filteredSubscriptions(db, which)
  const { rows, hasMore } = await readPage(db, { table: 'subscription', businessId, query }, page)
  return { rows: rows.map(({ id }) => id), hasMore }
}

/** Returns a page of subscriptions, newest first. */
export async function listFiltered(db: Db, which: Which, page: PageRequest): Promise<Page<LoadedSubscription>> {
  const { rows: ids, hasMore } = await selectFiltered(db, which, page)
  return { rows: await findInOrder(db, which.businessId, ids), hasMore }
}

/** Returns subscriptions in the order of the given ids. */
export async function findInOrder(db: Db, businessId: string, ids: readonly string[]): Promise<LoadedSubscription[]> {
  const loaded = await findSubscriptions(db, businessId, ids)
  const byId = new Map(loaded.map((one) => [one.subscription.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const todayOf = ({ timeZone }: { timeZone: string }, now: Date) => dayOf(now, timeZone)
