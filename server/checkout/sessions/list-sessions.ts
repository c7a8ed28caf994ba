import type { SessionListQuery } from '../../../contract/session-list.ts'
import type { Business } from '../../businesses/business.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { findApprovedPayments } from '../../payments/approved-payment-queries.ts'
import { paymentStatus, statusAt } from './session.ts'
import {
  countSessions,
  type ListedSession,
  listSessions,
  newestSession,
  type SessionFilter,
  sessionExists,
  withPaidBy,
} from './session-list-queries.ts'
import type { SessionTokens } from './session-token.ts'
import { sessionTransaction } from './session-transaction.ts'

export interface ListServices {
  db: Db
  sessionTokens: Pick<SessionTokens, 'make'>
  clock: Clock
  baseUrl: string
}

/**
 * Lists a page of a business's sessions, newest first. The links to other pages contain the first session of the first
 * page, so that sessions created meanwhile neither repeat entries nor change the total and the last page.
 *
 * @throws ApiError `validation_failed` if the days are in the wrong order, or the first session does not exist
 * @see CHK-36
 */
export async function sessionList(
  { db, sessionTokens, clock, baseUrl }: ListServices,
  business: Business,
  query: SessionListQuery,
) {
  const { page, perPage } = query
  const now = businessNow(clock, business)
  const given = await withPaidBy(db, await filterOf(business, query, now))
  const startingAt = await firstOf(db, given)
  const filter = { ...given, startingAt }
  const offset = (page - 1) * perPage
  const [rows, total] = await Promise.all([
    listSessions(db, filter, { limit: perPage, offset }),
    countSessions(db, filter),
  ])
  const payments = await findApprovedPayments(
    db,
    business.id,
    rows.filter((row) => row.status === 'COMPLETED').map(({ id }) => id),
  )
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const link = (number: number) =>
    pageUrl(baseUrl, business.id, { ...query, ...(startingAt && { startingAt }) }, number)
  return {
    data: rows.map((row) => {
      const payment = payments.get(row.id)
      return {
        ...listedView(business.id, row, sessionTokens, now),
        transaction: sessionTransaction(row, payment),
      }
    }),
    current_page: page,
    per_page: perPage,
    total,
    last_page: lastPage,
    from: rows.length > 0 ? offset + 1 : null,
    to: rows.length > 0 ? offset + rows.length : null,
    next_page_url: page < lastPage ? link(page + 1) : null,
    prev_page_url: page > 1 ? link(page - 1) : null,
  }
}

async function firstOf(db: Db, filter: SessionFilter): Promise<string | null> {
  const { startingAt, businessId } = filter
  if (startingAt === null) return newestSession(db, filter)
  if (await sessionExists(db, businessId, startingAt)) return startingAt
  throw invalidField('startingAt', 'does not exist in this business')
}

function listedView(businessId: string, row: ListedSession, sessionTokens: ListServices['sessionTokens'], now: Date) {
  const status = statusAt({ status: row.status, expiresAt: row.expires_at }, now, row.payment_in_progress)
  return {
    id: row.id,
    token: sessionTokens.make({ businessId, id: row.id, tokenKeyId: row.token_key_id }),
    session_status: status,
    payment_status: paymentStatus(status),
    amount_total: decimalFromCents(row.amount_total as Cents),
    currency: row.currency,
    ui_mode: row.ui_mode,
    mode: row.mode,
    customer: customerOf(row),
    client_reference_id: row.client_reference_id,
    description: row.description,
    attempt_count: row.attempt_count,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

function customerOf({ customer_id: id, customer_name: name, customer_email: email }: ListedSession) {
  return id === null && email === null ? null : { id, name, email }
}

/** @throws ApiError `validation_failed` when the days are in the wrong order */
export async function filterOf(
  business: Business,
  { fromDate, toDate, customer, status, startingAt }: Partial<SessionListQuery>,
  now: Date,
): Promise<SessionFilter> {
  if (fromDate && toDate && fromDate > toDate) throw invalidField('toDate', 'must not be before fromDate')
  return {
    businessId: business.id,
    from: fromDate ? await startOfDay(fromDate, business.timeZone, 0) : null,
    to: toDate ? await startOfDay(toDate, business.timeZone, 1) : null,
    customer: customer ?? null,
    status: status ?? null,
    startingAt: startingAt ?? null,
    now,
  }
}

/** Returns the start of a day in the time zone of the business, which is not always midnight. */
async function startOfDay(day: string, timeZone: string, daysLater: number): Promise<Date> {
  const { Temporal } = await import('temporal-polyfill')
  const start = Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(timeZone)
  return new Date(start.epochMilliseconds)
}

function pageUrl(baseUrl: string, businessId: string, query: SessionListQuery, page: number): string {
  const url = new URL(`${baseUrl}/api/${businessId}/checkout-sessions`)
  for (const [name, value] of Object.entries({ ...query, page }))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
