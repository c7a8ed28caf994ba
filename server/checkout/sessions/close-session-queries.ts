import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import { transaction } from '../../db/transaction.ts'
import type { NewEvent } from '../../events/event.ts'
import { insertEventFrom } from '../../events/event-queries.ts'
import { paymentStatus, type Session } from './session.ts'
import { sessionFrom } from './session-row.ts'

const noOpenSale = sql`not exists (select from operation o where o.business_id = s.business_id and o.session_id = s.id
  and o.kind = 'sale' and o.state in ('SENT', 'IN_DOUBT', 'REVERSING', 'APPROVED'))`

/**
 * Closes a session that is still open, with its event, unless a sale of it is open or won.
 *
 * Two statements: whoever waits for the lock in one statement goes on with what it saw before the wait, and does not see the
 * sale for which it waited. After the lock a new statement sees every sale that began, and none can begin any more.
 *
 * @returns whether it was closed now
 */
export function closeSession(
  db: Db,
  { session, reason, event }: { session: Session; reason: string | null; event: NewEvent },
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await sql`select from checkout_session
      where business_id = ${session.businessId}::uuid and id = ${session.id}::uuid for no key update`.execute(tx)
    const { rows } = await sql`
      with closed as (
        update checkout_session s set status = ${session.status}::text, payment_status = ${paymentStatus(session.status)}::text,
          canceled_at = ${session.canceledAt}::timestamptz, cancel_reason = ${reason}::text
        where s.business_id = ${session.businessId}::uuid and s.id = ${session.id}::uuid and s.status = 'PENDING'
          and ${noOpenSale}
        returning s.id
      ), recorded as (${insertEventFrom(event, sql`closed`)})
      select id from closed`.execute(tx)
    return rows.length > 0
  })
}

/** Sessions whose time is over by their business's clock and that nobody is paying just now. */
export async function listOverdue(db: Db, now: Date, limit: number): Promise<Session[]> {
  const { rows } = await sql<Selectable<CheckoutSession>>`
    select s.* from checkout_session s join business b on b.id = s.business_id
    where s.status = 'PENDING' and s.expires_at <= ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds)
      and ${noOpenSale}
    order by s.expires_at limit ${limit}`.execute(db)
  return rows.map(sessionFrom)
}
