import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Currency } from '../../lib/money.ts'

/** Recovery writes later than any other writer, and within this time. */
const DECLINED_WITHIN_SECONDS = 172_800

/** Which payments are counted. Instants in the business's time. */
export interface Span {
  businessId: string
  currency: Currency
  /** Where each part of the time begins, oldest first. */
  boundaries: readonly Date[]
  /** Where the last part ends, exclusive; `null`: it is open. */
  until: Date | null
  /** The number of the first part. */
  firstPart: number
  /** Codes are told apart from this part on. */
  codesFrom: number
  /** How far the business's clock is ahead of real time. */
  offsetSeconds: number
}

export interface CountedRow {
  kind: 'approved' | 'failed' | 'refunded'
  /** The number of the part of the time. */
  part: number
  /** Of a failed one in a part that tells codes apart. */
  code: string | null
  count: number
  amount: number
}

/**
 * Payments and refunds by the part of the time that they were made in. A business's clock is never behind real time, so
 * ids that were made before the span are outside of it.
 *
 * A declined sale of a bill is a payment; of others it is only an operation, which has no business time: it counts when
 * it was declined, or when its session was opened if that was later by the business's clock. No session was opened
 * later while that clock is real time.
 */
export async function countByPart(db: Db, span: Span): Promise<CountedRow[]> {
  const { businessId, currency, boundaries, until, firstPart, codesFrom, offsetSeconds } = span
  const since = boundaries[0] ?? new Date(0)
  const sinceReal = new Date(since.getTime() - offsetSeconds * 1_000)
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.business_id`)} = ${businessId}::uuid and ${sql.ref(`${alias}.currency`)} = ${currency}`
  const end = until ?? 'infinity'
  // Sales that were sent long before are declined by nobody any more.
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

/** Sessions opened since a time, and whether there was ever one, or a payment that was approved. */
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
