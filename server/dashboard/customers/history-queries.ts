import { sql } from 'kysely'
import type { HistoryEntry } from '../../../contract/dashboard/customers-api.ts'
import type { Db } from '../../db/connection.ts'

/**
 * Lists what was done about a customer and their cards, and what happened to them, newest first.
 *
 * @param actorId lists only changes made by this person; `null` lists everybody's
 */
export async function listHistory(
  db: Db,
  {
    businessId,
    customerId,
    actorId,
    limit,
  }: {
    businessId: string
    customerId: string
    actorId: string | null
    limit: number
  },
): Promise<HistoryEntry[]> {
  const mayRead = actorId === null ? sql`true` : sql`a.actor_id = ${actorId}`
  const { rows } = await sql<HistoryEntry>`
    with about as (
      select ${customerId}::uuid as id
      union all select id from stored_card where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    ), done as (
      select a.id, 'audit' as kind, a.action as what, a.object_type, a.object_id, a.actor_name as who,
        array(select jsonb_object_keys(a.before)) as changed, a.created_at
      from audit_entry a where a.business_id = ${businessId}::uuid and a.outcome <> 'refused' and ${mayRead}
        and a.object_id in (select id::text from about)
      order by a.number desc limit ${limit}
    ), happened as (
      select e.id, 'event' as kind, e.type as what, null as object_type, e.object_id::text as object_id, null as who,
        array(select jsonb_object_keys(e.data->'previous_attributes')) as changed, e.created_at
      from event e where e.business_id = ${businessId}::uuid and e.object_id in (select id from about)
      order by e.id desc limit ${limit}
    )
    select id, kind, what, object_type, object_id, who, changed, floor(extract(epoch from created_at))::integer as created
    from (select * from done union all select * from happened) as entry
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
