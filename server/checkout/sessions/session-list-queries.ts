import { type SelectQueryBuilder, sql } from 'kysely'
import type { SessionMode, SessionStatus, UiMode } from '../../../contract/checkout-session.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import { formOf, hasWords } from '../../db/search.ts'
import { run, statement } from '../../db/statement.ts'
import type { DB } from '../../db/tables.ts'
import { addSeconds } from '../../lib/clock.ts'
import { customersWith, findSessionsPaidBy } from './paid-session-queries.ts'
import { SESSION_LIFETIME_SECONDS, type SessionVerification } from './session.ts'
import { BEING_PAID, isBeingPaid } from './session-queries.ts'

export interface SessionFilter {
  businessId: string
  /** Creation time; `from` is inclusive, `to` exclusive. */
  from: Date | null
  to: Date | null
  /** Words of a name or an e-mail. */
  customer: string | null
  /** The sessions that such customers paid: see `withPaidBy`. Unless given, every session is looked at. */
  paidBy?: readonly string[] | undefined
  /** The customer that the merchant gave, or else the one whom the payment was recorded for. */
  customerId?: string | undefined
  status: SessionStatus | null
  /** The first session of the first page. Newer sessions are not listed. */
  startingAt: string | null
  uiMode?: UiMode | undefined
  mode?: SessionMode | undefined
  /** Of the total, in cents, both inclusive. */
  amountFrom?: number | undefined
  amountTo?: number | undefined
  /** The merchant's reference, as it was given. */
  reference?: string | undefined
  /** The sessions that can have the reference: these, and those that were created since then. */
  referenced?: { ids: readonly string[]; since: Date } | undefined
  /** A session past this time counts as expired, even before the job has closed it. */
  now: Date
}

/** One entry of the list. */
export interface ListedSession {
  id: string
  token_key_id: string
  status: SessionStatus
  amount_total: number
  currency: string
  ui_mode: UiMode
  mode: string
  client_reference_id: string | null
  description: string | null
  attempt_count: number
  created_at: Date
  expires_at: Date
  payment_in_progress: boolean
  completed_at: Date | null
  verification: SessionVerification | null
  /** Its card is only verified: for later bills, for a subscription that goes on, or for the customer. */
  charges_nothing: boolean
  customer_id: string | null
  customer_name: string | null
  customer_email: string | null
}

/** The same rule as `statusAt`: a session that is being paid is not expired. */
const isOver = (now: Date) => sql`(s.expires_at <= ${now} and not ${isBeingPaid})`

/** The job that closes sessions notes what is still being paid when its time is over, and runs every minute. */
const OPEN_SECONDS = SESSION_LIFETIME_SECONDS + 3_600
const isOpenSince = (at: Date) => sql`(s.created_at >= ${at} or s.overdue_at is not null)`

function where(filter: SessionFilter) {
  const { businessId, from, to, customer, status, startingAt, now } = filter
  const parts = [sql`s.business_id = ${businessId}`, ...comparedTo(filter)]
  if (filter.customerId !== undefined) parts.push(ofOne(businessId, filter.customerId))
  if (from) parts.push(sql`s.created_at >= ${from}`)
  if (to) parts.push(sql`s.created_at < ${to}`)
  if (startingAt) {
    parts.push(sql`(s.created_at, s.id) <= (
      select created_at, id from checkout_session where business_id = ${businessId} and id = ${startingAt})`)
  }
  if (status === 'EXPIRED') parts.push(sql`(s.status = ${status} or (s.status = 'PENDING' and ${isOver(now)}))`)
  else if (status) parts.push(sql`s.status = ${status}`)
  if (status === 'PENDING') parts.push(sql`not ${isOver(now)}`, isOpenSince(addSeconds(now, -OPEN_SECONDS)))
  // The conditions of their indexes: no index names the status, which a payment changes.
  if (status === 'CANCELLED') parts.push(sql`s.canceled_at is not null`)
  if (status === 'FAILED') parts.push(sql`s.failed_at is not null`)
  if (customer) parts.push(ofCustomer(businessId, customer, filter.paidBy))
  return sql.join(parts, sql` and `)
}

/** The form in which the customer's e-mail and name are searched, with an alias and its dot. */
export const sessionForm = (alias: string) =>
  sql<string>`coalesce(${sql.raw(alias)}searched, ${formOf(sql`${sql.raw(alias)}search_text`)})`

/** The customer that the merchant gave, or else the one whom the payment was recorded for: as the list shows it. */
function ofCustomer(businessId: string, text: string, paidBy: SessionFilter['paidBy']) {
  const customers = customersWith(businessId, text)
  const isNamed = hasWords(sessionForm('s.'), text)
  if (!paidBy) return sql`(${isNamed} or coalesce(s.customer_id, s.payer_customer_id) in (${customers}))`
  // `= any(array(…))` instead of `in`, so that all sides of the `or` can use their indexes.
  return sql`(${isNamed} or s.customer_id = any(array(${customers}))
    or (s.customer_id is null and s.id = any(${paidBy}::uuid[])))`
}

const ofOne = (businessId: string, customerId: string) =>
  sql`(s.customer_id = ${customerId}::uuid or (s.customer_id is null and s.id = any(array(
    select p.session_id from payment p
    where p.business_id = ${businessId}::uuid and p.customer_id = ${customerId}::uuid and p.session_id is not null))))`

/** A filter that finds the sessions of a customer by indexes, unless they are many. */
export async function withPaidBy(db: Db, filter: SessionFilter): Promise<SessionFilter> {
  const { businessId, customer } = filter
  return customer ? { ...filter, paidBy: await findSessionsPaidBy(db, businessId, customer) } : filter
}

function comparedTo({ uiMode, mode, amountFrom, amountTo, reference, referenced }: SessionFilter) {
  return [
    ...(uiMode ? [sql`s.ui_mode = ${uiMode}`] : []),
    ...(mode ? [sql`s.mode = ${mode}`] : []),
    ...(amountFrom === undefined ? [] : [sql`s.amount_total >= ${amountFrom}`]),
    ...(amountTo === undefined ? [] : [sql`s.amount_total <= ${amountTo}`]),
    ...(reference === undefined ? [] : [sql`s.client_reference_id = ${reference}`]),
    ...(referenced ? [sql`(s.created_at >= ${referenced.since} or s.id = any(${referenced.ids}::uuid[]))`] : []),
  ]
}

const LISTED = `s.id, s.token_key_id, s.status, s.amount_total, s.currency, s.ui_mode, s.mode, s.client_reference_id,
  s.description, s.attempt_count, s.created_at, s.expires_at, s.completed_at, s.verification,
  (s.mode = 'setup' or s.verification is not null
    or coalesce((s.subscription ->> 'replaces_card')::boolean, false)) as charges_nothing,
  ${BEING_PAID} as payment_in_progress, c.id as customer_id,
  coalesce(c.name, s.customer_name) as customer_name, coalesce(c.email, s.customer_email) as customer_email`
const CUSTOMER = `left join customer c
  on c.business_id = s.business_id and c.id = coalesce(s.customer_id, s.payer_customer_id)`

/** Newest first. The id orders sessions created at the same time, so that paging neither skips nor repeats any. */
export async function listSessions(
  db: Db,
  filter: SessionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select ${sql.raw(LISTED)} from checkout_session s ${sql.raw(CUSTOMER)}
    where ${where(filter)}
    order by s.created_at desc, s.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** The ids of a page by key, newest first. */
export async function selectSessions(db: Db, filter: SessionFilter, page: PageRequest): Promise<Page<string>> {
  const { businessId } = filter
  const query = matching(db, filter)
  const { rows, hasMore } = await readPage(db, { table: 'checkout_session', businessId, query }, page)
  return { rows: rows.map(({ id }) => id), hasMore }
}

/** A page by key, newest first. */
export async function listSessionPage(db: Db, filter: SessionFilter, page: PageRequest): Promise<Page<ListedSession>> {
  const { rows: ids, hasMore } = await selectSessions(db, filter, page)
  return { rows: await findListedSessions(db, filter.businessId, ids), hasMore }
}

const FIND_LISTED = statement(
  'listed_sessions',
  (p) => `select ${LISTED} from checkout_session s ${CUSTOMER}
    where s.business_id = ${p.businessId}::uuid and s.id = any(${p.ids}::uuid[])
    order by s.created_at desc, s.id desc`,
)

/** Newest first. */
export async function findListedSessions(db: Db, businessId: string, ids: readonly string[]): Promise<ListedSession[]> {
  return ids.length === 0 ? [] : run<ListedSession>(db, FIND_LISTED, { businessId, ids })
}

/** The ids of those that match, without an order. */
export function matching(db: Db, filter: SessionFilter): SelectQueryBuilder<DB, 'checkout_session', { id: string }> {
  const query = db
    .selectFrom('checkout_session as s')
    .select('s.id')
    .where(sql<boolean>`${where(filter)}`)
  // An alias is a table of its own to the builder's types.
  return query as unknown as SelectQueryBuilder<DB, 'checkout_session', { id: string }>
}

/** The newest session, with which a first page begins. */
export async function newestSession(db: Db, filter: SessionFilter): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select s.id from checkout_session s where ${where(filter)}
    order by s.created_at desc, s.id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export async function sessionExists(db: Db, businessId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from checkout_session where business_id = ${businessId} and id = ${id}`.execute(db)
  return rows.length > 0
}

export async function countSessions(db: Db, filter: SessionFilter): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from checkout_session s where ${where(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}
