import { sql } from 'kysely'
import type { AlertKind } from '../../../contract/dashboard/home-api.ts'
import type { Db } from '../../db/connection.ts'
import type { Currency } from '../../lib/money.ts'

export interface AlertRow {
  kind: AlertKind
  count: number
  since: Date | null
  objectType: string | null
  objectId: string | null
  name: string | null
}

export interface AlertTimes {
  /** Open operations that were sent before this need a person. Real time. */
  doubtBefore: Date
  /**
   * Endpoints that have failed since before this are listed: by then, the first repetitions of a delivery are over.
   * Real time.
   */
  failingBefore: Date
  /** Current day of the business. */
  today: string
}

const nothing = sql`null::text, null::text, null::text`

/** Lists what needs a person, in one statement. Missed bills, jobs and cards are read separately. */
export async function listAlerts(
  db: Db,
  businessId: string,
  { doubtBefore, failingBefore, today }: AlertTimes,
): Promise<AlertRow[]> {
  const ours = (alias: string) => sql`${sql.ref(`${alias}.business_id`)} = ${businessId}::uuid`
  const { rows } = await sql<AlertRow>`
    select 'operations_in_doubt' as kind, count(*)::int as count, min(o.sent_at) as since, null as "objectType",
      null as "objectId", null as name
    from operation o
    where ${ours('o')} and o.next_inquiry_at is not null
      and (o.needs_attention or o.sent_at <= ${doubtBefore}::timestamptz)
    union all
    select case batch.status when 'settling' then 'settlement_unknown' else 'settlement_failed' end, 1,
      case batch.status when 'settling' then batch.sent_at else batch.failed_at end, 'batch', batch.id::text, batch.currency
    from batch
    where ${ours('batch')} and (batch.status = 'settling' and (batch.needs_attention or batch.sent_at <= ${doubtBefore}::timestamptz)
      or batch.status = 'open' and batch.failed_at is not null)
    union all
    select 'findings', count(*)::int, min(f.found_at), ${nothing}
    from reconciliation_finding f where ${ours('f')} and f.state = 'OPEN'
    union all
    select case e.status when 'disabled' then 'endpoint_disabled' else 'endpoint_failing' end, 1,
      coalesce(e.failing_since, e.updated_at), 'webhook_endpoint', e.id::text, e.url
    from webhook_endpoint e
    where ${ours('e')} and e.deleted_at is null and (e.status = 'disabled' and e.disabled_reason <> 'manual'
      or e.status = 'enabled' and e.failing_since <= ${failingBefore}::timestamptz)
    union all
    select 'contract_unsigned', count(*)::int, min(s.next_billing_date)::timestamp at time zone min(s.time_zone), 'contract',
      case count(distinct c.id) when 1 then min(c.id::text) end, null
    from subscription s join contract c on c.business_id = s.business_id and c.id = s.contract_id
    where ${ours('s')} and s.contract_id is not null and s.status = 'active' and c.status <> 'signed'
      and (s.next_billing_date <= ${today}::date or exists (select from bill
        where bill.business_id = s.business_id and bill.subscription_id = s.id and bill.status = 'PENDING'))
    union all
    select 'owner_without_second_factor', count(*)::int, null, null, null, string_agg(u.name, ', ' order by u.name)
    from business_member m join auth_user u on u.id = m.user_id
    where ${ours('m')} and m.role = 'owner'
      and not exists (select from totp t where t.user_id = m.user_id)
      and not exists (select from passkey p where p.user_id = m.user_id)`.execute(db)
  return rows.filter(({ count }) => count > 0)
}

/** A subscription that missed too many bills to be billed without a decision by the merchant (BIL-11). */
export interface HeldRow {
  id: string
  heldAt: Date
  customerName: string | null
  anchorDate: string
  interval: string
  intervalCount: number
  nextPeriodNo: number
  nextBillingDate: string
  installments: number | null
  paidBills: number
  timeZone: string
  amount: number
  currency: Currency
}

/** Lists held subscriptions, oldest first. */
export async function listHeldOf(db: Db, businessId: string, limit: number): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select s.id, s.catch_up_held_at as "heldAt", coalesce(c.name, c.email) as "customerName",
      s.anchor_date::text as "anchorDate", s.interval_unit as interval, s.interval_count as "intervalCount",
      s.next_period_no as "nextPeriodNo", s.next_billing_date::text as "nextBillingDate", s.installments,
      s.paid_bills as "paidBills", s.time_zone as "timeZone", s.amount, s.currency
    from subscription s join customer c on c.business_id = s.business_id and c.id = s.customer_id
    where s.business_id = ${businessId}::uuid and s.catch_up_held_at is not null and s.next_billing_date is not null
    order by s.catch_up_held_at limit ${limit}`.execute(db)
  return rows
}

/**
 * Counts the cards that expire in a month and that active subscriptions are charged to. Reads every active
 * subscription.
 */
export async function countExpiringCards(
  db: Db,
  businessId: string,
  { month, year }: { month: number; year: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct c.id)::int as count
    from subscription s join stored_card c on c.business_id = s.business_id and c.id = s.stored_card_id
    where s.business_id = ${businessId}::uuid and s.status = 'active' and s.cancel_at is null
      and c.exp_month = ${month} and c.exp_year = ${year} and c.detached_at is null`.execute(db)
  return rows[0]?.count ?? 0
}
