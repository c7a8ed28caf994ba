import { type SelectQueryBuilder, sql } from 'kysely'
import type { CustomerFigures } from '../../../contract/dashboard/customers-api.ts'
import { type Customer, customerObject } from '../../customers/customer.ts'
import { customerForm } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import { hasWords } from '../../db/search.ts'
import { run, statement } from '../../db/statement.ts'
import type { DB } from '../../db/tables.ts'
import { isUuid } from '../../lib/ids.ts'
import { countUpTo } from '../count-queries.ts'

/** An `undefined` field does not filter. */
export interface CustomerFilter {
  businessId: string
  /** Words of a name or an e-mail address, or an id. */
  search?: string | undefined
  hasCard?: boolean | undefined
  hasSubscription?: boolean | undefined
  /** Earliest time of creation, inclusive. */
  since?: Date | null
  /** Latest time of creation, exclusive. */
  until?: Date | null
}

const HAS_CARD = sql<boolean>`exists (select from stored_card k
  where k.business_id = customer.business_id and k.customer_id = customer.id and k.detached_at is null)`
const HAS_SUBSCRIPTION = sql<boolean>`exists (select from subscription s
  where s.business_id = customer.business_id and s.customer_id = customer.id and s.status in ('active', 'paused'))`

/** Selects the ids of the matching customers, without an order. */
export function matchingCustomers(
  db: Db,
  { businessId, search, hasCard, hasSubscription, since, until }: CustomerFilter,
): SelectQueryBuilder<DB, 'customer', { id: string }> {
  let query = db.selectFrom('customer').select('customer.id').where('customer.business_id', '=', businessId)
  if (search !== undefined && isUuid(search)) query = query.where('customer.id', '=', search)
  else if (search !== undefined) query = query.where(hasWords(customerForm(), search))
  if (hasCard !== undefined) query = query.where(hasCard ? HAS_CARD : sql<boolean>`not ${HAS_CARD}`)
  if (hasSubscription !== undefined)
    query = query.where(hasSubscription ? HAS_SUBSCRIPTION : sql<boolean>`not ${HAS_SUBSCRIPTION}`)
  if (since) query = query.where('customer.created_at', '>=', since)
  if (until) query = query.where('customer.created_at', '<', until)
  return query
}

/**
 * Counts the customers that match, up to 10,001. If the only filter is for a card or for a subscription, it counts the
 * holders in that table, which is quicker than a look-up for each customer.
 */
export function countCustomers(db: Db, filter: CustomerFilter): Promise<number> {
  const { businessId, hasCard, hasSubscription, ...rest } = filter
  if (Object.values(rest).some((one) => one != null)) return countUpTo(db, matchingCustomers(db, filter))
  if (hasCard && hasSubscription === undefined) return countUpTo(db, holdersOfCards(db, businessId))
  if (hasSubscription && hasCard === undefined) return countUpTo(db, holdersOfSubscriptions(db, businessId))
  return countUpTo(db, matchingCustomers(db, filter))
}

const holdersOfCards = (db: Db, businessId: string) =>
  db
    .selectFrom('stored_card')
    .select('customer_id')
    .distinct()
    .where('business_id', '=', businessId)
    .where('detached_at', 'is', null)

const holdersOfSubscriptions = (db: Db, businessId: string) =>
  db
    .selectFrom('subscription')
    .select('customer_id')
    .distinct()
    .where('business_id', '=', businessId)
    .where('status', 'in', ['active', 'paused'])

/** A customer in the list. */
export type ListedCustomer = ReturnType<typeof customerObject> & { view: CustomerFigures }

/** Returns a page of ids, newest first. */
export async function selectCustomers(db: Db, filter: CustomerFilter, page: PageRequest): Promise<Page<string>> {
  const { businessId } = filter
  const query = matchingCustomers(db, filter)
  const { rows, hasMore } = await readPage(db, { table: 'customer', businessId, query }, page)
  return { rows: rows.map(({ id }) => id), hasMore }
}

/** Returns a page of customers, newest first. */
export async function listCustomerPage(
  db: Db,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<Page<ListedCustomer>> {
  const { rows: ids, hasMore } = await selectCustomers(db, filter, page)
  return { rows: await findListedCustomers(db, filter.businessId, ids), hasMore }
}

/** Columns with the figures of a customer `c`. */
const FIGURES = `
  (select count(*)::integer from stored_card k
    where k.business_id = c.business_id and k.customer_id = c.id and k.detached_at is null) as cards,
  (select count(*)::integer from subscription s
    where s.business_id = c.business_id and s.customer_id = c.id and s.status = 'active') as active_subscriptions,
  coalesce((select jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount) order by p.currency) from (
    select p.currency, sum(p.amount - p.refunded_amount)::bigint as amount from payment p
    where p.business_id = c.business_id and p.customer_id = c.id and p.status in ('succeeded', 'refunded')
    group by p.currency) as p), '[]') as paid`

type ListedRow = Customer & CustomerFigures

const LISTED = statement(
  'dashboard_customers',
  (p) => `select c.id, c.name, c.email, c.phone, c.metadata, c.created_at as "createdAt", ${FIGURES}
    from customer c where c.business_id = ${p.businessId}::uuid and c.id = any(${p.ids}::uuid[])
    order by c.created_at desc, c.id desc`,
)

/** Returns customers by their ids, newest first. */
export async function findListedCustomers(
  db: Db,
  businessId: string,
  ids: readonly string[],
): Promise<ListedCustomer[]> {
  if (ids.length === 0) return []
  const rows = await run<ListedRow>(db, LISTED, { businessId, ids })
  return rows.map(({ cards, active_subscriptions, paid, ...customer }) => ({
    ...customerObject(customer),
    view: { cards, active_subscriptions, paid },
  }))
}

export async function findFigures(db: Db, businessId: string, id: string): Promise<CustomerFigures> {
  const { rows } = await sql<CustomerFigures>`select ${sql.raw(FIGURES)} from customer c
    where c.business_id = ${businessId}::uuid and c.id = ${id}::uuid`.execute(db)
  return rows[0] ?? { cards: 0, active_subscriptions: 0, paid: [] }
}
