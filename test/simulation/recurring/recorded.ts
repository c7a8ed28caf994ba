import { sql } from 'kysely'
import type { Db } from '../../../server/db/connection.ts'

// The service's records, in terms of the model. All of them are read by the test's own SQL.

export interface RecordedSubscription {
  id: string
  version: number
  status: string
  /** `null` until a card is entered: the earlier value of the row has no meaning. */
  anchor: string | null
  segment: number
  next: number
  nextDay: string | null
  paidBills: number
  failed: number
  billDueMs: number | null
  bill: string | null
  /** For a voided payment `nothing until`, and the start of its period. */
  paidThrough: string | null
  isHeld: boolean
  cancelAtMs: number | null
  pause: string | null
  isCharging: boolean
  /** One line per payment, oldest first. */
  payments: string
  /** Status of each bill, by `segment/k`: one line per bill, in any order. */
  bills: string
}

export interface Versions {
  /** Number of operations and settlements whose outcome is open. */
  open: number
  versions: ReadonlyMap<string, number>
}

/** Reads the versions of all subscriptions, which is cheap at every step. */
export async function readVersions(db: Db): Promise<Versions> {
  const { rows } = await sql<{ id: string | null; version: number; open: number }>`
    select s.id, s.version, ${OPEN} as open from (select 1) as one left join subscription s on true`.execute(db)
  return {
    open: rows[0]?.open ?? 0,
    versions: new Map(rows.flatMap(({ id, version }) => (id === null ? [] : [[id, version]]))),
  }
}

// Parameters, because a statement with parameters is prepared and planned once.
const OPEN_STATES = ['SENT', 'IN_DOUBT', 'REVERSING']
const OPEN = sql<number>`((select count(*) from operation where state = any(${OPEN_STATES}::operation_state[]))
  + (select count(*) from batch where status = ${'settling'}))::int`

export async function countOpen(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`select ${OPEN} as open`.execute(db)
  return rows[0]?.open ?? 0
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

export async function readSubscriptions(db: Db, ids: readonly string[]): Promise<Map<string, RecordedSubscription>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<RecordedSubscription>`
    select s.id, s.version, s.status::text, case when s.stored_card_id is not null then s.anchor_date::text end as anchor, s.segment_no as segment,
      s.next_period_no as next, s.next_billing_date::text as "nextDay", s.paid_bills as "paidBills",
      coalesce(b.failed_attempts, 0) as failed, ${ms('b.next_attempt_at')} as "billDueMs",
      b.segment_no || '/' || b.period_no as bill,
      case when s.covering_payment_id is null then 'nothing until ' else '' end || ${ms('s.paid_through_at')} as "paidThrough",
      s.catch_up_held_at is not null as "isHeld", ${ms('s.cancel_at')} as "cancelAtMs",
      u.status || ' ' || u.mode || ' ' || coalesce(${ms('u.paused_at')}::bigint::text, '-') || ' '
        || coalesce(${ms('u.scheduled_for')}::bigint::text, '-') || ' '
        || case when u.status = 'active' then coalesce(u.remaining_paid_seconds, 0) else 0 end as pause,
      exists (select from operation o where o.business_id = s.business_id
        and (o.owner_id in (b.id, s.checkout_session_id) or o.owner_id in (select r.id from subscription_pause r
          where r.business_id = s.business_id and r.subscription_id = s.id))
        and not o.lost and o.parent_id is null and o.state <> 'APPROVED') as "isCharging",
      coalesce((select string_agg(p.status || ' ' || p.amount || ' ' || p.refunded_amount, e'\\n' order by p.created_at, p.id)
        from payment p where p.business_id = s.business_id and p.subscription_id = s.id), '') as payments,
      coalesce((select string_agg(l.segment_no || '/' || l.period_no || ' ' || coalesce(l.closed_reason::text, l.status::text),
        e'\\n') from bill l where l.business_id = s.business_id and l.subscription_id = s.id), '') as bills
    from subscription s
    left join bill b on b.business_id = s.business_id and b.subscription_id = s.id and b.status = 'PENDING'
    left join subscription_pause u on u.business_id = s.business_id and u.subscription_id = s.id
      and u.status in ('pending', 'active')
    where s.id = any(${ids as string[]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface RecordedPayment {
  id: string
  status: string
  amount: number
  refunded: number
  /** Reference of its sale. */
  merchantRef: string
  /** Whether its batch is settled, as far as it is recorded. */
  isBatchSettled: boolean
}

/** Describes the operations and batches whose outcome is open. */
export async function describeOpen(db: Db): Promise<string> {
  const { rows } = await sql<{ what: string }>`
    select concat_ws(' ', kind, state, 'sent', sent_at, 'inquiries', inquiries, message) as what from operation
      where state in ('SENT', 'IN_DOUBT', 'REVERSING')
    union all select concat_ws(' ', 'batch', gateway_batch, 'sent', sent_at, 'open since', open_since)
      from batch where status = 'settling'`.execute(db)
  return rows.map(({ what }) => what).join('; ')
}

/** Returns the payments of a subscription, oldest first. */
export async function readPayments(db: Db, id: string): Promise<RecordedPayment[]> {
  const { rows } = await sql<RecordedPayment>`
    select p.id, p.status::text, p.amount::int, p.refunded_amount::int as refunded, o.merchant_ref as "merchantRef",
      exists (select from batch b where b.business_id = p.business_id and b.id = p.batch_id and b.status = 'settled') as "isBatchSettled"
    from payment p join operation o on o.business_id = p.business_id and o.id = p.operation_id
    where p.subscription_id = ${id} order by p.created_at, p.id`.execute(db)
  return rows
}

/** Returns the status of each bill, by `segment/k`. */
export async function readBills(db: Db, id: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; became: string }>`
    select segment_no || '/' || period_no as key, coalesce(closed_reason::text, status::text) as became
    from bill where subscription_id = ${id}`.execute(db)
  return new Map(rows.map(({ key, became }) => [key, became]))
}
