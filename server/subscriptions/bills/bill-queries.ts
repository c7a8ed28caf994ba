import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

export async function findSubscriptionOfBill(db: Db, businessId: string, billId: string): Promise<string | null> {
  const row = await db
    .selectFrom('bill')
    .select('subscription_id')
    .where('business_id', '=', businessId)
    .where('id', '=', billId)
    .executeTakeFirst()
  return row?.subscription_id ?? null
}

/** Subscription that the scheduler must look at. */
export interface DueSubscription {
  businessId: string
  id: string
  dueAt: Date
}

/** Filter of due subscriptions; without a `businessId` it covers all businesses. */
export interface DueQuery {
  /** Real time; the offset of each business's test clock is added to it. */
  now: Date
  /** Upper limit in the business's time; `null` means its current time. */
  until: Date | null
  businessId: string | undefined
  limit: number
}

/**
 * Lists due subscriptions, oldest first, without a lock. Businesses whose test clock is ahead are queried one by one,
 * because their `due_at` lies in the future of the index.
 */
export async function listDue(db: Db, { now, until, businessId, limit }: DueQuery): Promise<DueSubscription[]> {
  const ofBusiness = businessId === undefined ? sql`` : sql`and s.business_id = ${businessId}::uuid`
  const of = sql`${until === null ? sql`` : sql`and s.due_at <= ${until}::timestamptz`} ${ofBusiness}`
  const one = businessId === undefined ? sql`` : sql`and b.id = ${businessId}::uuid`
  const columns = sql`s.business_id as "businessId", s.id, s.due_at as "dueAt"`
  const { rows } = await sql<DueSubscription>`
    (select ${columns} from subscription s where s.due_at <= ${now}::timestamptz ${of} order by s.due_at limit ${limit})
    union all
    (select ahead.* from business b cross join lateral (
      select ${columns} from subscription s where s.business_id = b.id and s.due_at > ${now}::timestamptz
        and s.due_at <= ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds) ${of}
      order by s.due_at limit ${limit}
    ) as ahead where b.clock_offset_seconds > 0 ${one})
    order by "dueAt" limit ${limit}`.execute(db)
  return rows
}

/** Postpones a subscription, whatever its state. Does nothing if it has changed since it was listed. */
export async function postpone(db: Db, { businessId, id, dueAt }: DueSubscription, until: Date): Promise<void> {
  await sql`update subscription set due_at = ${until}, version = version + 1
    where business_id = ${businessId}::uuid and id = ${id}::uuid and due_at = ${dueAt}`.execute(db)
}

/** Subscription that missed too much to be billed without the merchant's decision. */
export interface HeldSubscription {
  businessId: string
  id: string
  /** Oldest missed date. */
  nextBillingDate: string | null
  heldAt: Date
}

/** Lists held subscriptions of all businesses, oldest first. Reads the whole table: only for the operator. */
export async function listHeld(db: Db, limit: number): Promise<HeldSubscription[]> {
  const { rows } = await sql<HeldSubscription>`
    select business_id as "businessId", id, next_billing_date as "nextBillingDate", catch_up_held_at as "heldAt"
    from subscription where catch_up_held_at is not null order by catch_up_held_at limit ${limit}`.execute(db)
  return rows
}
