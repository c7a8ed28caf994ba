import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

// Finds what falls due for a business, for its test clock. Staging only, where a business has few rows.

/** Whether a charge of the bill `b` is sent, in doubt or being reversed. */
const isCharged = sql`exists (select from operation o where o.business_id = b.business_id and o.owner_id = b.id
  and not o.lost and o.parent_id is null and o.state <> 'APPROVED')`

/** Ignores subscriptions with an open charge: they fall due repeatedly until its outcome is known. */
export async function findNextSubscriptionDueAt(db: Db, businessId: string, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(s.due_at) as at from subscription s
    where s.business_id = ${businessId}::uuid and s.due_at > ${after}::timestamptz
      and not exists (select from bill b where b.business_id = s.business_id and b.subscription_id = s.id
        and b.status = 'PENDING' and ${isCharged})`.execute(db)
  return rows[0]?.at ?? null
}

export async function countChargedBills(db: Db, businessId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from bill b
    where b.business_id = ${businessId}::uuid and b.status = 'PENDING' and ${isCharged}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findNextSessionExpiry(db: Db, businessId: string, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(expires_at) as at from checkout_session
    where business_id = ${businessId}::uuid and expires_at > ${after}::timestamptz and status = 'PENDING'`.execute(db)
  return rows[0]?.at ?? null
}
