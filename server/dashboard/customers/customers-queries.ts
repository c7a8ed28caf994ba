import { type SelectQueryBuilder, sql } from 'kysely'
import type { CustomerFigures } from '../../../contract/dashboard/customers-api.ts'
import { type Customer, customerObject } from '../../customers/customer.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { DB } from '../../db/tables.ts'
import { isUuid } from '../../lib/ids.ts'
import { containing } from '../containing.ts'

/** `undefined` does not filter. */
export interface CustomerFilter {
  businessId: string
  /** A part of a name or an e-mail, or an id. */
  search?: string | undefined
  hasCard?: boolean | undefined
  hasSubscription?: boolean | undefined
  /** Created since, inclusive. */
  since?: Date | null
  /** Created until, exclusive. */
  until?: Date | null
}

const HAS_CARD = sql<boolean>`exists (select from stored_card k
  where k.business_id = customer.business_id and k.customer_id = customer.id and k.detached_at is null)`
const HAS_SUBSCRIPTION = sql<boolean>`exists (select from subscription s
  where s.business_id = customer.business_id and s.customer_id = customer.id and s.status in ('active', 'paused'))`

/** The ids of those that match, without an order. */
export function matchingCustomers(
  db: Db,
  { businessId, search, hasCard, hasSubscription, since, until }: CustomerFilter,
): SelectQueryBuilder<DB, 'customer', { id: string }> {
  let query = db.selectFrom('customer').select('customer.id').where('customer.business_id', '=', businessId)
  if (search !== undefined && isUuid(search)) query = query.where('customer.id', '=', search)
  else if (search !== undefined)
    // The expression of the index.
    query = query.where(
      sql<boolean>`lower(coalesce(email, '') || ' ' || coalesce(name, '')) like ${containing(search)}`,
    )
  if (hasCard !== undefined) query = query.where(hasCard ? HAS_CARD : sql<boolean>`not ${HAS_CARD}`)
  if (hasSubscription !== undefined)
    query = query.where(hasSubscription ? HAS_SUBSCRIPTION : sql<boolean>`not ${HAS_SUBSCRIPTION}`)
  if (since) query = query.where('customer.created_at', '>=', since)
  if (until) query = query.where('customer.created_at', '<', until)
  return query
}

/** A customer of the list. */
export type ListedCustomer = ReturnType<typeof customerObject> & { view: CustomerFigures }

/** Newest first. */
export async function listCustomerPage(
  db: Db,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<Page<ListedCustomer>> {
  const { businessId } = filter
  const query = matchingCustomers(db, filter)
  const { rows: found, hasMore } = await readPage(db, { table: 'customer', businessId, query }, page)
  const rows = await readListed(
    db,
    businessId,
    found.map(({ id }) => id),
  )
  return { rows, hasMore }
}

type ListedRow = Customer & CustomerFigures

async function readListed(db: Db, businessId: string, ids: readonly string[]): Promise<ListedCustomer[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ListedRow>`
    select c.id, c.name, c.email, c.phone, c.metadata, c.created_at as "createdAt", ${FIGURES}
    from customer c where c.business_id = ${businessId}::uuid and c.id = any(${ids}::uuid[])
    order by c.created_at desc, c.id desc`.execute(db)
  return rows.map(({ cards, active_subscriptions, paid, ...customer }) => ({
    ...customerObject(customer),
    view: { cards, active_subscriptions, paid },
  }))
}

/** Of a customer `c`. */
const FIGURES = sql`
  (select count(*)::integer from stored_card k
    where k.business_id = c.business_id and k.customer_id = c.id and k.detached_at is null) as cards,
  (select count(*)::integer from subscription s
    where s.business_id = c.business_id and s.customer_id = c.id and s.status = 'active') as active_subscriptions,
  coalesce((select jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount) order by p.currency) from (
    select p.currency, sum(p.amount - p.refunded_amount)::bigint as amount from payment p
    where p.business_id = c.business_id and p.customer_id = c.id and p.status in ('succeeded', 'refunded')
    group by p.currency) as p), '[]') as paid`

export async function findFigures(db: Db, businessId: string, id: string): Promise<CustomerFigures> {
  const { rows } = await sql<CustomerFigures>`select ${FIGURES} from customer c
    where c.business_id = ${businessId}::uuid and c.id = ${id}::uuid`.execute(db)
  return rows[0] ?? { cards: 0, active_subscriptions: 0, paid: [] }
}
