import type { Selectable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import { transaction } from '../../db/transaction.ts'
import { recordWith } from '../../events/event-queries.ts'
import type { Session } from './session.ts'
import { sessionEvent } from './session-event.ts'
import { sessionFrom } from './session-row.ts'

const noOpenSale = sql`not exists (select from operation o where o.business_id = s.business_id and o.owner_id = s.id
  and not o.lost and o.parent_id is null)`

interface Closing {
  /** Session in its closed state. */
  session: Session
  reason: string | null
  type: 'checkout.session.canceled' | 'checkout.session.expired'
  /** Current time of the business. */
  at: Date
}

/**
 * Closes a session and records its event, unless the session is closed already or has an open or approved sale.
 *
 * This takes two statements, because a statement that waits for a lock continues with its snapshot from before the wait
 * and would not see the sale that it waited for. After the lock, the second statement sees every sale that began, and
 * no other can begin. Earlier declines count, so the event shows the session as it was when locked.
 *
 * @returns whether this call closed it
 */
export function closeSession(db: Db, { session, reason, type, at }: Closing): Promise<boolean> {
  const { businessId, id, status, canceledAt } = session
  return transaction(db, async (tx) => {
    const { rows } = await sql<Selectable<CheckoutSession>>`select * from checkout_session
      where business_id = ${businessId}::uuid and id = ${id}::uuid for no key update`.execute(tx)
    if (!rows[0]) return false
    const closed: Session = { ...sessionFrom(rows[0]), status, canceledAt }
    const event = sessionEvent(type, closed, { createdAt: at })
    const close = sql`changed as (
        update checkout_session s set status = ${status}::session_status, canceled_at = ${canceledAt}::timestamptz,
          cancel_reason = ${reason}::text, overdue_at = null
        where s.business_id = ${businessId}::uuid and s.id = ${id}::uuid and s.status = 'PENDING'
          and ${noOpenSale}
        returning s.id
      )`
    return recordWith(tx, event, close)
  })
}

/** Inclusive range of expiry times: in real time, or by the clock of the business if it concerns only one. */
interface Span {
  from: Date
  until: Date
}

/**
 * Finds the first portion of a range that one statement can read quickly.
 *
 * @returns the end of the portion, and whether it is the end of the range
 */
export async function findPortion(db: Db, { from, until }: Span): Promise<{ until: Date; isLast: boolean }> {
  const { rows } = await sql<{ last: Date | null; rows: number }>`
    select max(expires_at) as last, count(*)::int as rows from (
      select expires_at from checkout_session where expires_at >= ${from} and expires_at <= ${until}
      order by expires_at fetch first ${PORTION} rows with ties
    ) as portion`.execute(db)
  const [{ last, rows: read } = { last: null, rows: 0 }] = rows
  return last === null || read < PORTION ? { until, isLast: true } : { until: last, isLast: false }
}

const PORTION = 20_000

/** Lists expired sessions that are not yet marked as being paid. */
export function listOverdue(db: Db, { from, until }: Span, limit: number): Promise<Session[]> {
  return read(
    db,
    sql`from checkout_session s
    where s.expires_at >= ${from} and s.expires_at <= ${until} and s.status = 'PENDING' and s.overdue_at is null
    order by s.expires_at limit ${limit}`,
  )
}

/**
 * Lists sessions that are overdue by the test clock of their business, which is ahead of real time. In production no
 * business has a test clock, so no session is read.
 */
export function listOverdueByTestClock(db: Db, { from, until }: Span, limit: number): Promise<Session[]> {
  return read(
    db,
    sql`from business b join checkout_session s on s.business_id = b.id
    where b.clock_offset_seconds > 0 and s.expires_at >= ${from}
      and s.expires_at <= ${until}::timestamptz + make_interval(secs => b.clock_offset_seconds)
      and s.status = 'PENDING' and s.overdue_at is null
    order by s.expires_at limit ${limit}`,
  )
}

/** Lists the overdue sessions of one business, by its clock. */
export function listOverdueOf(db: Db, businessId: string, { from, until }: Span, limit: number): Promise<Session[]> {
  return read(
    db,
    sql`from checkout_session s
    where s.business_id = ${businessId}::uuid and s.expires_at >= ${from} and s.expires_at <= ${until}
      and s.status = 'PENDING' and s.overdue_at is null
    order by s.expires_at limit ${limit}`,
  )
}

/** Lists expired sessions that were marked as being paid and have no open sale any more. */
export function listLeftOverdue(db: Db, now: Date, limit: number): Promise<Session[]> {
  return read(
    db,
    sql`from checkout_session s join business b on b.id = s.business_id
    where s.overdue_at is not null and s.overdue_at <= ${now} and s.status = 'PENDING' and ${noOpenSale}
      and s.expires_at <= ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds)
    order by s.overdue_at limit ${limit}`,
  )
}

async function read(db: Db, source: RawBuilder<unknown>): Promise<Session[]> {
  const { rows } = await sql<Selectable<CheckoutSession>>`select s.* ${source}`.execute(db)
  return rows.map(sessionFrom)
}

/** Marks an expired session as being paid. The job then finds it by the mark, not by its expiry. */
export async function noteOverdue(db: Db, { businessId, id }: Session, now: Date): Promise<void> {
  await db
    .updateTable('checkout_session')
    .set({ overdue_at: now })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute()
}
