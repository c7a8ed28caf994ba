import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Currency } from '../../lib/money.ts'

/** Time within which a decline is written. Recovery writes later than any other writer, and within this time. */
const DECLINED_WITHIN_SECONDS = 172_800

/** Which payments are counted. Instants are in the business's time. */
export interface Span {
  businessId: string
  currency: Currency
  /** Beginning of each part, oldest first. */
  boundaries: readonly Date[]
  /** End of the last part, exclusive; `null` if it is open. */
  until: Date | null
  /** Number of the first part. */
  firstPart: number
  /** Number of the first part whose failures are counted by code. */
  codesFrom: number
  /** How far the business's clock is ahead of real time. */
  offsetSeconds: number
}

export interface CountedRow {
  kind: 'approved' | 'failed' | 'refunded'
  /** Number of the part of time. */
  part: number
  /** Code of a failed payment, if its part is counted by code; otherwise `null`. */
  code: string | null
  count: number
  amount: number
}

/**
 * Counts payments and refunds by the part of time in which they were made. A business's clock is never behind real
 * time, so ids that were made before the span are outside of it.
 *
 * A declined sale of a bill is a payment. Any other declined sale is only an operation, which has no business time: it
 * counts at the time of its decline, or when its session was opened if that was later by the business's clock. That
 * cannot happen while the clock is real time.
 */
export async function countByPart(db: Db, span: Span): Promise<CountedRow[]> {
  const { businessId, currency, boundaries, until, firstPart, codesFrom, offsetSeconds } = span
  const since = boundaries[0] ?? new Date(0)
  const sinceReal = new Date(since.getTime() - offsetSeconds * 1_000)
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.business_id`)} = ${businessId}::uuid and ${sql.ref(`${alias}.currency`)} = ${currency}`
  const end = until ?? 'infinity'
  // A sale that was sent long before this can no longer be declined.
  const firstSale = firstIdAt(addSeconds(sinceReal, -DECLINED_WITHIN_SECONDS))
  const untilId = (alias: string) =>
    until === null ? sql`` : sql`and ${sql.ref(`${alias}.id`)} < ${firstIdAt(until)}::uuid`
  const [session, at] =
    offsetSeconds === 0
      ? [sql``, sql`o.declined_at`]
      : [
          sql`left join checkout_session s on s.business_id = o.business_id and s.id = o.owner_id and o.owner_kind = 'session'`,
          sql`greatest(s.created_at, o.declined_at)`,
        ]
  const { rows } = await sql<CountedRow>`
    with tried as (
      select case when status = 'failed' then 'failed' else 'approved' end as kind, p.created_at, p.code, p.amount
      from payment p
      where ${of('p')} and p.id >= ${firstIdAt(sinceReal)}::uuid ${untilId('p')} and p.created_at >= ${since}::timestamptz
        and p.created_at < ${end}::timestamptz and p.status <> 'voided'
      union all
      select 'failed', ${at}, o.code, o.amount
      from operation o ${session}
      where ${of('o')} and o.lost and o.parent_id is null and o.id >= ${firstSale}::uuid ${untilId('o')}
        and o.declined_at >= ${sinceReal}::timestamptz and o.declined_at < ${end}::timestamptz
        and ${at} >= ${since}::timestamptz and ${at} < ${end}::timestamptz
        and (o.owner_kind in ('session', 'stored_card_sale')
          or not exists (select from payment p where p.business_id = o.business_id and p.operation_id = o.id))
      union all
      select 'refunded', r.created_at, null, r.amount
      from refund r
      where ${of('r')} and r.created_at >= ${since}::timestamptz and r.created_at < ${end}::timestamptz
        and r.status = 'succeeded'
    ), placed as (
      select kind, width_bucket(created_at, ${boundaries}::timestamptz[]) - 1 + ${firstPart}::int as part, code, amount from tried
    )
    select kind, part, case when kind = 'failed' and part >= ${codesFrom}::int then code end as code,
      count(*)::int as count, sum(amount)::bigint as amount
    from placed group by 1, 2, 3`.execute(db)
  return rows
}

export interface SessionCounts {
  opened: number
  paid: number
  hasSession: boolean
  hasPayment: boolean
}

/**
 * Counts the sessions opened since a time. Also tells whether there has ever been a session, and an approved payment.
 */
export async function countSessions(db: Db, businessId: string, since: Date): Promise<SessionCounts> {
  const { rows } = await sql<SessionCounts>`
    select count(*)::int as opened, count(*) filter (where status = 'COMPLETED')::int as paid,
      exists (select from checkout_session where business_id = ${businessId}::uuid) as "hasSession",
      exists (select from payment where business_id = ${businessId}::uuid and status <> 'failed') as "hasPayment"
    from checkout_session where business_id = ${businessId}::uuid and created_at >= ${since}::timestamptz`.execute(db)
  return rows[0] ?? { opened: 0, paid: 0, hasSession: false, hasPayment: false }
}

export async function listLatestEvents(
  db: Db,
  businessId: string,
  limit: number,
): Promise<{ id: string; type: string; createdAt: Date }[]> {
  return db
    .selectFrom('event')
    .select(['id', 'type', 'created_at as createdAt'])
    .where('business_id', '=', businessId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
