import { type RawBuilder, sql } from 'kysely'
import type { NewEvent } from './event.ts'

/**
 * `insert into event … from <source>`: in the statement of the change itself, so that it is recorded with it or not at all.
 * That statement holds the lock of the object's row, so the next sequence number is free.
 *
 * @param added further members of `data.object` that only the database knows
 */
export function insertEventFrom(
  event: NewEvent,
  source: RawBuilder<unknown>,
  added: RawBuilder<unknown> = sql`'{}'::jsonb`,
) {
  const { businessId, id, type, objectId, data, createdAt } = event
  const { object, ...more } = data
  return sql`insert into event (business_id, id, type, object_id, sequence, data, created_at)
    select ${businessId}::uuid, ${id}::uuid, ${type}::text, ${objectId}::uuid,
      (select coalesce(max(sequence), 0) + 1 from event
        where business_id = ${businessId}::uuid and object_id = ${objectId}::uuid),
      ${JSON.stringify(more)}::jsonb || jsonb_build_object('object', ${JSON.stringify(object)}::jsonb || ${added}),
      ${createdAt}::timestamptz
    from ${source}`
}
