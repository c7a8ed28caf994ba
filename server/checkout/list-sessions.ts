import { Temporal } from 'temporal-polyfill'
import type { SessionListQuery } from '../../contract/session-list.ts'
import type { Business } from '../businesses/business.ts'
import { businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import { invalidField } from '../lib/errors.ts'
import type { Keyring } from '../lib/keyring.ts'
import { type Cents, decimalFromCents } from '../lib/money.ts'
import { transactionView } from '../payments/payment.ts'
import { findPaymentsOfSessions } from '../payments/payment-queries.ts'
import { paymentStatus } from './session.ts'
import { countSessions, type ListedSession, listSessions, type SessionFilter } from './session-list-queries.ts'
import { sessionToken } from './session-token.ts'

export interface ListServices {
  db: Db
  keyring: Keyring
  clock: Clock
  baseUrl: string
}

/**
 * A page of a business's sessions, newest first. While sessions are being created, later pages move by as many: the filters
 * hold a page still (`toDate`).
 *
 * @throws ApiError `validation_failed` when the days are in the wrong order
 * @see contract 4, «List»
 */
export async function sessionList(
  { db, keyring, clock, baseUrl }: ListServices,
  business: Business,
  query: SessionListQuery,
) {
  const { page, perPage } = query
  const now = businessNow(clock, business)
  const filter = filterOf(business, query, now)
  const offset = (page - 1) * perPage
  const [rows, total] = await Promise.all([
    listSessions(db, filter, { limit: perPage, offset }),
    countSessions(db, filter),
  ])
  const payments = await findPaymentsOfSessions(
    db,
    business.id,
    rows.filter((row) => row.status === 'COMPLETED').map(({ id }) => id),
  )
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const link = (number: number) => pageUrl(baseUrl, business.id, query, number)
  return {
    data: rows.map((row) => {
      const payment = payments.get(row.id)
      return { ...listedView(row, keyring, now), transaction: payment ? transactionView(payment) : null }
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

function listedView(row: ListedSession, keyring: Keyring, now: Date) {
  const status = row.status === 'PENDING' && row.expires_at <= now ? 'EXPIRED' : row.status
  return {
    id: row.id,
    token: sessionToken(keyring, row.id, row.token_key_id),
    session_status: status,
    payment_status: paymentStatus(status),
    amount_total: decimalFromCents(row.amount_total as Cents),
    currency: row.currency,
    ui_mode: row.ui_mode,
    mode: row.mode,
    customer: customerView(row),
    client_reference_id: row.client_reference_id,
    description: row.description,
    attempt_count: row.attempt_count,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

function customerView({ customer_id: id, customer_name: name, customer_email: email }: ListedSession) {
  return id === null && email === null ? null : { id, name, email }
}

function filterOf(
  business: Business,
  { fromDate, toDate, customer, status }: SessionListQuery,
  now: Date,
): SessionFilter {
  if (fromDate && toDate && fromDate > toDate) throw invalidField('toDate', 'must not be before fromDate')
  return {
    businessId: business.id,
    from: fromDate ? startOfDay(fromDate, business.timeZone, 0) : null,
    to: toDate ? startOfDay(toDate, business.timeZone, 1) : null,
    customer: customer?.toLowerCase() ?? null,
    status: status ?? null,
    now,
  }
}

/** When a day begins where the business is; it does not always begin at midnight. */
function startOfDay(day: string, timeZone: string, daysLater: number): Date {
  const start = Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(timeZone)
  return new Date(start.epochMilliseconds)
}

function pageUrl(baseUrl: string, businessId: string, query: SessionListQuery, page: number): string {
  const url = new URL(`${baseUrl}/api/${businessId}/checkout-sessions`)
  for (const [name, value] of Object.entries({ ...query, page }))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
