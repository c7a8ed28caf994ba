import { sql } from 'kysely'
import type { Db } from '../../../server/db/connection.ts'

// Invariants of docs/specification/billing-invariants.md as queries over what the service has recorded. Each returns
// the rows that break it.

const OK = "('succeeded', 'refunded', 'voided')"

const QUERIES: Record<string, string> = {
  'INV-1 a bill is paid once': `select bill_id::text as broken from payment
    where bill_id is not null and status in ${OK} group by bill_id having count(*) > 1`,
  'INV-3 INV-4 refunds fit their payments': `select id::text as broken from payment where not (
      refunded_amount between 0 and amount and (status = 'refunded') = (refunded_amount = amount)
      and (status not in ('voided', 'failed') or refunded_amount = 0))`,
  'INV-5 all payments of a subscription are equal': `select p.id::text as broken from payment p
    join subscription s on s.business_id = p.business_id and s.id = p.subscription_id
    where p.amount <> s.amount or p.tax_amount <> s.tax_amount or p.surcharge_amount <> s.surcharge_amount`,
  'INV-10 no bill is missing in a segment': `select s.id::text as broken from subscription s
    join lateral (select count(*) as bills, max(period_no) + 1 as periods, min(period_no) as first from bill b
      where b.business_id = s.business_id and b.subscription_id = s.id and b.segment_no = s.segment_no) b on true
    left join subscription_pause u on u.business_id = s.business_id and u.subscription_id = s.id
    where b.bills > b.periods and u.id is null`,
  'INV-19 one bill is open, and a fulfilled one has its payment': `select b.id::text as broken from bill b
    where (b.status = 'FULFILLED') <> exists (select from payment p where p.business_id = b.business_id
      and p.bill_id = b.id and p.status in ${OK})`,
  'INV-20 at most four attempts': `select bill_id::text as broken from payment
    where bill_id is not null group by bill_id having count(*) > 4`,
  'INV-23 paid bills are the paid payments': `select s.id::text as broken from subscription s
    where paid_bills <> (select count(*) from payment p where p.business_id = s.business_id
      and p.subscription_id = s.id and p.status in ${OK})`,
  'EVT a payment has one event of each change': `select p.id::text as broken from payment p
    left join lateral (select count(*) filter (where type = 'payment.succeeded') as paid,
        count(*) filter (where type = 'payment.failed') as failed, count(*) filter (where type = 'payment.voided') as voided,
        count(*) filter (where type = 'payment.refunded') as refunded,
        count(*) filter (where type in ('payment.refunded', 'payment.partially_refunded')) as refunds
      from event e where e.business_id = p.business_id and e.object_id = p.id) e on true
    where (e.paid, e.failed, e.voided, e.refunded, e.refunds) is distinct from ((p.status <> 'failed')::int::bigint,
      (p.status = 'failed')::int::bigint, (p.status = 'voided')::int::bigint, (p.status = 'refunded')::int::bigint,
      (select count(*) from refund r where r.business_id = p.business_id and r.payment_id = p.id and r.status = 'succeeded'))`,
  'EVT a settled batch has one event': `select b.id::text as broken from batch b where (b.status = 'settled')::int
    <> (select count(*) from event e where e.business_id = b.business_id and e.object_id = b.id and e.type = 'batch.settled')`,
  'EVT the events of an object are counted without a gap': `select object_id::text as broken from event
    group by business_id, object_id having max(sequence) <> count(*) or count(distinct sequence) <> count(*)`,
  'EVT a session that has ended has one event': `select s.id::text as broken from checkout_session s
    where (s.status <> 'PENDING')::int <> (select count(*) from event e where e.business_id = s.business_id
      and e.object_id = s.id and e.type = 'checkout.session.' || case s.status when 'CANCELLED' then 'canceled'
        else lower(s.status::text) end)`,
  'INV-32 without a card there is no bill and no schedule': `select s.id::text as broken from subscription s
    where s.stored_card_id is null and (s.next_billing_date is not null or s.status not in ('pending_payment_method', 'canceled')
      or exists (select from bill b where b.business_id = s.business_id and b.subscription_id = s.id))`,
  'EVT a subscription is activated once': `select s.id::text as broken from subscription s
    where s.checkout_session_id is not null and (s.stored_card_id is not null)::int <> (select count(*) from event e
      where e.business_id = s.business_id and e.object_id = s.id and e.type = 'subscription.activated')`,
  'INV-24 what is notified is notified once': `select e.id::text as broken from event e where e.type in ('payment.succeeded',
      'payment.failed', 'payment.refunded', 'payment.partially_refunded') and exists (select from notification n
        where n.business_id = e.business_id and n.type = e.type)
      and not exists (select from notification n where n.business_id = e.business_id and n.id = e.id)`,
  'INV-3 the refunded amount is that of the refunds': `select p.id::text as broken from payment p
    where p.refunded_amount <> (select coalesce(sum(amount), 0) from refund r where r.business_id = p.business_id
      and r.payment_id = p.id and r.status = 'succeeded') or p.refund_pending_amount <> (select coalesce(sum(amount), 0)
      from refund r where r.business_id = p.business_id and r.payment_id = p.id and r.status = 'pending')`,
  'INV-28 nothing is open or scheduled after the end': `select s.id::text as broken from subscription s
    where status in ('canceled', 'completed') and (next_billing_date is not null or due_at is not null
      or exists (select from subscription_pause u where u.business_id = s.business_id and u.subscription_id = s.id
        and u.status in ('pending', 'active')))`,
  'INV-30 completed is all installments': `select id::text as broken from subscription
    where paid_bills > installments or (status = 'completed' and paid_bills <> installments)
      or (paid_bills = installments and status not in ('completed', 'canceled'))`,
  'INV-33 a cancel and a pause are not both scheduled': `select s.id::text as broken from subscription s
    join subscription_pause u on u.business_id = s.business_id and u.subscription_id = s.id and u.status = 'pending'
    where s.cancel_at is not null`,
  'INV-35 paused is an active pause': `select s.id::text as broken from subscription s
    where (status = 'paused') <> exists (select from subscription_pause u where u.business_id = s.business_id
      and u.subscription_id = s.id and u.status = 'active')`,
  'INV-36 remaining time fits': `select id::text as broken from subscription_pause
    where remaining_paid_seconds < 0 or (mode = 'period_end' and remaining_paid_seconds > 0)`,
}

export async function checkInvariants(db: Db): Promise<void> {
  const parts = Object.entries(QUERIES).map(
    ([name, query], position) =>
      `select ${position} as position, '${name}' as name, broken from (${query}) as q${position}`,
  )
  // A statement with a parameter is prepared and planned once.
  const { rows } = await sql<{
    name: string
    broken: string
  }>`${sql.raw(parts.join('\nunion all\n'))} limit ${1}`.execute(db)
  const [first] = rows
  if (first) throw new Error(`${first.name}: broken by ${first.broken}`)
}

/** The gateway's data for each of our references, from its own ledger. */
export interface GatewayBooks {
  /** Approved less reversed sales, by our reference. */
  live: Map<string, number>
}

/**
 * Compares every cent with the ledger of the gateway: INV-1, INV-6, INV-7.
 *
 * @throws Error when a sum differs, or an approved sale is neither a payment nor reversed
 */
export async function auditGateway(db: Db, books: GatewayBooks): Promise<void> {
  const { rows } = await sql<{ ref: string; amount: number }>`
    select o.merchant_ref as ref, (case p.status when 'voided' then 0 else p.amount - p.refunded_amount end)::int as amount
    from payment p join operation o on o.business_id = p.business_id and o.id = p.operation_id
    where p.status <> 'failed'`.execute(db)
  const ours = new Map(rows.map(({ ref, amount }) => [ref, amount]))
  for (const [ref, amount] of books.live) {
    if ((ours.get(ref) ?? 0) !== amount)
      throw new Error(`INV-6 the gateway holds ${amount} for ${ref}, we say ${ours.get(ref) ?? 0}`)
  }
  for (const [ref, amount] of ours) {
    if (amount > 0 && !books.live.has(ref)) throw new Error(`INV-7 we say ${amount} for ${ref}, the gateway nothing`)
  }
}
