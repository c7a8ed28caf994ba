import { type RawBuilder, sql } from 'kysely'
import type { SearchHit, SearchKind } from '../../../contract/dashboard/search-api.ts'
import { sessionForm } from '../../checkout/sessions/session-list-queries.ts'
import { customerForm } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { beginsWith, formOf, hasWords } from '../../db/search.ts'
import { paymentStatusOf } from '../payment-status.ts'
import { REFERENCE } from '../session-reference-queries.ts'

// One statement finds each kind, newest first. A hit has what the page shows of it, and nothing of a card beyond its
// last four digits.

export interface StoredHit {
  kind: SearchKind
  id: string
  title: string | null
  amount: number | null
  currency: 'USD' | 'CAD' | null
  status: string | null
  brand: string | null
  last4: string | null
  createdAt: Date
}

/** How many hits of each kind are returned. */
export const HITS_MAX = 5

const hit = (kind: SearchKind, columns: Partial<Record<keyof SearchHit | 'brand' | 'last4', RawBuilder<unknown>>>) => {
  const { id, title, amount, currency, status, brand, last4, created } = columns
  return sql`select ${kind}::text as kind, ${id ?? sql`x.id`} as id, ${title ?? sql`null::text`} as title, ${amount ?? sql`null::bigint`} as amount,
    ${currency ?? sql`null::text`} as currency, ${status ?? sql`null::text`} as status, ${brand ?? sql`null::text`} as brand,
    ${last4 ?? sql`null::text`} as last4, ${created ?? sql`x.created_at`} as "createdAt"`
}

const HITS: Record<SearchKind, { select: RawBuilder<unknown>; from: RawBuilder<unknown> }> = {
  payment: {
    select: hit('payment', {
      id: sql`coalesce(p.id, x.id)`,
      title: sql`p.receipt_id`,
      amount: sql`x.amount`,
      currency: sql`x.currency`,
      status: sql.raw(paymentStatusOf('x')),
      brand: sql`x.card_brand`,
      last4: sql`x.card_last4`,
      created: sql`coalesce(p.created_at, x.sent_at)`,
    }),
    from: sql`operation x left join payment p on p.business_id = x.business_id and p.operation_id = x.id`,
  },
  refund: {
    select: hit('refund', {
      id: sql`x.payment_id`,
      title: sql`x.receipt_id`,
      amount: sql`x.amount`,
      currency: sql`x.currency`,
      status: sql`x.status::text`,
    }),
    from: sql`refund x`,
  },
  customer: {
    select: hit('customer', { title: sql`coalesce(x.name || ' \u00b7 ' || x.email, x.name, x.email)` }),
    from: sql`customer x`,
  },
  subscription: {
    select: hit('subscription', {
      title: sql`nullif(concat_ws(' \u00b7 ', coalesce(c.name, c.email), x.metadata ->> 'reference'), '')`,
      amount: sql`x.amount`,
      currency: sql`x.currency`,
      status: sql`x.status::text`,
    }),
    from: sql`subscription x left join customer c on c.business_id = x.business_id and c.id = x.customer_id`,
  },
  session: {
    select: hit('session', {
      title: sql`coalesce(x.client_reference_id, x.description, x.customer_email, x.payer_email)`,
      amount: sql`x.amount_total`,
      currency: sql`x.currency`,
      status: sql`x.status::text`,
    }),
    from: sql`checkout_session x`,
  },
  product: { select: hit('product', { title: sql`x.name` }), from: sql`product x` },
  contract: { select: hit('contract', { title: sql`x.title`, status: sql`x.status::text` }), from: sql`contract x` },
  batch: {
    select: hit('batch', { title: sql`'#' || x.number`, status: sql`x.status::text`, currency: sql`x.currency` }),
    from: sql`batch x`,
  },
  event: { select: hit('event', { title: sql`x.type` }), from: sql`event x` },
}

/** @param where condition on the rows `x` of the kind; for payments, on their sale */
async function find(
  db: Db,
  kind: SearchKind,
  businessId: string,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`x.id desc`,
): Promise<StoredHit[]> {
  const { select, from } = HITS[kind]
  const { rows } = await sql<StoredHit>`${select} from ${from} where x.business_id = ${businessId}::uuid and ${where}
    order by ${order} limit ${HITS_MAX}`.execute(db)
  return rows
}

const SALES = sql`x.parent_id is null`

export const findNewest = (db: Db, businessId: string, kind: SearchKind) =>
  find(db, kind, businessId, kind === 'payment' ? SALES : sql`true`)

/** Finds an object by its id; a payment also by the id of its sale. */
export function findById(db: Db, businessId: string, kind: SearchKind, id: string): Promise<StoredHit[]> {
  if (kind !== 'payment') return find(db, kind, businessId, sql`x.id = ${id}::uuid`)
  const ids = sql`(select operation_id from payment where business_id = ${businessId}::uuid and id = ${id}::uuid union all select ${id}::uuid)`
  return find(db, kind, businessId, sql`x.id in ${ids} and ${SALES}`)
}

export function findByReceipt(db: Db, businessId: string, kind: 'payment' | 'refund', receipt: string) {
  if (kind === 'refund') return find(db, kind, businessId, sql`x.receipt_id = ${receipt}`)
  const ids = sql`(select operation_id from payment where business_id = ${businessId}::uuid and receipt_id = ${receipt})`
  return find(db, kind, businessId, sql`x.id in ${ids}`)
}

/** @param firstId sales with smaller ids are too old */
export const findByLast4 = (db: Db, businessId: string, last4: string, firstId: string) =>
  find(db, 'payment', businessId, sql`x.card_last4 = ${last4} and x.id >= ${firstId}::uuid and ${SALES}`)

export const findByAmount = (db: Db, businessId: string, cents: number, firstId: string) =>
  find(db, 'payment', businessId, sql`x.amount = ${cents} and x.id >= ${firstId}::uuid and ${SALES}`)

/** Whether a form has a text. Short words are only found at the beginnings of words, for which there is an index. */
const hasText = (form: RawBuilder<string>, text: string) => hasWords(form, text, 'at_beginnings')

const PERSON = customerForm('x.')

/** Finds customers by e-mail address: first the exact one, then those that begin with it. */
export const findCustomersByEmail = (db: Db, businessId: string, email: string) =>
  find(db, 'customer', businessId, beginsWith(PERSON, email), sql`x.email_folded <> ${email.toLowerCase()}, x.id desc`)

export function findPaymentsOfCustomers(db: Db, businessId: string, customerIds: readonly string[]) {
  const ids = sql`(select operation_id from payment where business_id = ${businessId}::uuid
    and customer_id = any(${customerIds}::uuid[]) order by operation_id desc limit ${HITS_MAX})`
  return find(db, 'payment', businessId, sql`x.id in ${ids}`)
}

export function findByText(db: Db, businessId: string, kind: TextKind, text: string): Promise<StoredHit[]> {
  const where: Record<TextKind, RawBuilder<unknown>> = {
    customer: hasText(PERSON, text),
    product: hasText(formOf(sql`x.name`), text),
    session: hasText(sessionForm('x.'), text),
    contract: hasText(formOf(sql`x.title || ' ' || coalesce(x.signed_name, '')`), text),
  }
  return find(db, kind, businessId, where[kind])
}

/** Kinds with a name of their own. */
export const TEXT_KINDS = ['customer', 'product', 'session', 'contract'] as const
export type TextKind = (typeof TEXT_KINDS)[number]

/** Maximum number of prices, of products with the text in their names, whose newest subscriptions are looked up. */
const PRICES_MAX = 100

/** Finds subscriptions by a part of their reference, or of the name of a product that they sell. */
export function findSubscriptionsByText(db: Db, businessId: string, text: string): Promise<StoredHit[]> {
  const ids = sql`(
    (select subscription_id from subscription_reference
      where business_id = ${businessId}::uuid and ${hasText(formOf(sql`reference`), text)} order by subscription_id desc limit ${HITS_MAX})
    union all
    select newest.subscription_id
    from (
      select p.id from product d join price p on p.business_id = d.business_id and p.product_id = d.id
      where d.business_id = ${businessId}::uuid and ${hasText(formOf(sql`d.name`), text)} order by p.id desc limit ${PRICES_MAX}
    ) as sold
    cross join lateral (
      select s.subscription_id from subscription_price s
      where s.business_id = ${businessId}::uuid and s.price_id = sold.id
      order by s.created_at desc, s.subscription_id desc limit ${HITS_MAX}
    ) as newest)`
  return find(db, 'subscription', businessId, sql`x.id in ${ids}`)
}

/** Finds contracts of the given customers, whoever signed them. */
export function findContractsOfCustomers(db: Db, businessId: string, customerIds: readonly string[]) {
  return find(db, 'contract', businessId, sql`x.customer_id = any(${customerIds}::uuid[])`)
}

/**
 * Finds indexed sessions by what the merchant wrote on them.
 *
 * @param firstId sessions with smaller ids are too old
 */
export function findSessionsByReference(db: Db, businessId: string, text: string, firstId: string) {
  const ids = sql`(select session_id from session_reference where business_id = ${businessId}::uuid
    and session_id >= ${firstId}::uuid and ${hasText(formOf(sql`reference`), text)} order by session_id desc limit ${HITS_MAX})`
  return find(db, 'session', businessId, sql`x.id in ${ids}`)
}

/** Like `findSessionsByReference`, for sessions that may not be indexed yet: it reads them. */
export function findNewSessionsByReference(db: Db, businessId: string, text: string, since: Date) {
  const where = sql`x.created_at >= ${since} and ${hasText(formOf(REFERENCE), text)}`
  return find(db, 'session', businessId, where, sql`x.created_at desc, x.id desc`)
}
