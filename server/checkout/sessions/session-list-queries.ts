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
  /** Range of creation times; `from` is inclusive, `to` exclusive. */
  from: Date | null
  to: Date | null
  /** Words of a customer's name or e-mail address. */
  customer: string | null
  /** Ids of sessions that such customers paid (see `withPaidBy`). If absent, every session is read. */
  paidBy?: readonly string[] | undefined
  /** Customer whom the merchant gave, or else the one for whom the payment was recorded. */
  customerId?: string | undefined
  status: SessionStatus | null
  /** First session of the first page. Newer sessions are not listed. */
  startingAt: string | null
  uiMode?: UiMode | undefined
  mode?: SessionMode | undefined
  /** Range of the total in cents; both ends are inclusive. */
  amountFrom?: number | undefined
  amountTo?: number | undefined
  /** Reference, exactly as the merchant gave it. */
  reference?: string | undefined
  /** Sessions that can have the reference: those with these ids, and those created since then. */
  referenced?: { ids: readonly string[]; since: Date } | undefined
  /** A session past this time counts as expired, even before the job has closed it. */
  now: Date
}

/** An entry of the list. */
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
  /** Whether the card is only verified: for later bills, for a running subscription, or to store it. */
  charges_nothing: boolean
  customer_id: string | null
  customer_name: string | null
  customer_email: string | null
}

/** Whether a session is past its expiry, by the rule of `statusAt`: a session that is being paid is not expired. */
const isOver = (now: Date) => sql`(s.expires_at <= ${now} and not ${isBeingPaid})`

/** Maximum age of open sessions, except those that the job, which runs every minute, has marked as being paid. */
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
  // These are the conditions of the indexes. No index contains the status, because every payment changes it.
  if (status === 'CANCELLED') parts.push(sql`s.canceled_at is not null`)
  if (status === 'FAILED') parts.push(sql`s.failed_at is not null`)
  if (customer) parts.push(ofCustomer(businessId, customer, filter.paidBy))
  return sql.join(parts, sql` and `)
}

/** Searchable form of the customer's e-mail address and name. @param alias table alias with its dot */
export const sessionForm = (alias: string) =>
  sql<string>`coalesce(${sql.raw(alias)}searched, ${formOf(sql`${sql.raw(alias)}search_text`)})`

/** Matches the customer as the list shows it: the one that the merchant gave, or else the one of the payment. */
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

/** Returns the filter with the ids of the sessions that the customers paid, unless there are many. */
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

/**
 * Lists sessions, newest first. The id orders sessions created at the same time, so that paging neither skips nor
 * repeats any.
 */
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

/** Returns the ids of a page by key, newest first. */
export async function selectSessions(db: Db, filter: SessionFilter, page: PageRequest): Promise<Page<string>> {
  const { businessId } = filter
  const query = matching(db, filter)
  const { rows, hasMore } = await readPage(db, { table: 'checkout_session', businessId, query }, page)
  return { rows: rows.map(({ id }) => id), hasMore }
}

/** Returns a page by key, newest first. */
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

/** Finds listed sessions by their ids, newest first. */
export async function findListedSessions(db: Db, businessId: string, ids: readonly string[]): Promise<ListedSession[]> {
  return ids.length === 0 ? [] : run<ListedSession>(db, FIND_LISTED, { businessId, ids })
}

/** Selects the ids of the sessions that match, in no order. */
export function matching(db: Db, filter: SessionFilter): SelectQueryBuilder<DB, 'checkout_session', { id: string }> {
  const query = db
    .selectFrom('checkout_session as s')
    .select('s.id')
    .where(sql<boolean>`${where(filter)}`)
  // In the types of the query builder, an alias is a separate table.
  return query as unknown as SelectQueryBuilder<DB, 'checkout_session', { id: string }>
}

/** Returns the id of the newest session, with which a first page begins; `null` if there is none. */
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
