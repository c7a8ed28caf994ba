import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

/**
 * Lists what a person did in all their businesses and with their account, newest first.
 *
 * @param before lists only entries older than this one
 */
export async function listOwnAudit(
  db: Db,
  userId: string,
  { limit, before }: { limit: number; before?: string | undefined },
) {
  const logs = db
    .selectFrom('business_member')
    .select('business_id as id')
    .where('user_id', '=', userId)
    .unionAll(db.selectNoFrom(sql<string>`${userId}::uuid`.as('id')))
  const rows = await db
    .selectFrom(logs.as('log'))
    .innerJoin('audit_entry', 'audit_entry.business_id', 'log.id')
    .leftJoin('business', 'business.id', 'audit_entry.business_id')
    .select(['audit_entry.id', 'audit_entry.created_at as createdAt', 'audit_entry.action', 'audit_entry.outcome'])
    .select(['audit_entry.object_type', 'audit_entry.object_id', 'audit_entry.ip', 'audit_entry.user_agent'])
    .select(['business.id as businessId', 'business.name as businessName'])
    .where('audit_entry.actor_kind', '=', 'person')
    .where('audit_entry.actor_id', '=', userId)
    .$if(before !== undefined, (query) => query.where('audit_entry.id', '<', before ?? ''))
    .orderBy('audit_entry.id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit).map(({ object_type: type, object_id: id, businessId, businessName, ...row }) => ({
    ...row,
    outcome: row.outcome as 'done' | 'requested' | 'refused',
    business: businessId !== null && businessName !== null ? { id: businessId, name: businessName } : null,
    target: type !== null && id !== null ? { type, id } : null,
  }))
  return { rows: shown, hasMore: rows.length > limit }
}
