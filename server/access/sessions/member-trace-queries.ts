import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

interface SeenMember {
  userId: string
  traces: readonly string[]
  /** Time of the trace, in real time. */
  at: Date
}

/**
 * Records where a person was seen, with their business.
 *
 * @param businessId `null` for a sign-in, which counts for all of their businesses
 */
export async function recordTraces(
  db: Db,
  { userId, traces, at, businessId }: SeenMember & { businessId: string | null },
): Promise<void> {
  if (traces.length === 0) return
  await sql`insert into member_trace (business_id, user_id, trace, last_seen_at)
    select m.business_id, m.user_id, t.trace, ${at}::timestamptz
    from business_member m cross join unnest(${traces}::text[]) as t (trace)
    where m.user_id = ${userId} and (${businessId}::uuid is null or m.business_id = ${businessId}::uuid)
    order by m.business_id, t.trace
    on conflict (business_id, trace, user_id)
      do update set last_seen_at = greatest(member_trace.last_seen_at, excluded.last_seen_at)`.execute(db)
}

/** Whether any member of a business has left one of the traces since an instant. */
export async function wasMemberSeen(
  db: Db,
  { businessId, traces }: { businessId: string; traces: readonly string[] },
  since: Date,
): Promise<boolean> {
  if (traces.length === 0) return false
  const row = await db
    .selectFrom('member_trace')
    .select('trace')
    .where('business_id', '=', businessId)
    .where('trace', 'in', [...traces])
    .where('last_seen_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteOldTraces(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('member_trace').where('last_seen_at', '<=', before).execute()
}
