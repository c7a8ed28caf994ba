import { type RawBuilder, sql } from 'kysely'
import type { Placeholders, Values } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from './event.ts'

/**
 * `insert into event … from <source>`, for use within the statement that makes the change: both are recorded or
 * neither. That statement holds the lock of the object's row, so the next sequence number is free.
 *
 * @param added JSON members of `data.object` that only the database knows
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

interface EventMember {
  source: string
  /** Where a statement records several: `card` for `p.cardEventId`. */
  prefix?: string
  /** Of the event's data, when the database knows more of them. */
  data?: (given: string) => string
}

/**
 * `insert into event … from <source>`, in a statement that has `p.businessId` and `p.at`, for the first event of an object, which
 * that statement makes or closes: its number is known. A second one is refused by the key of object and number.
 */
export const insertFirstEvent = (p: Placeholders, member: EventMember) => insertEvent(p, member, '1')

/** The same for an object that may have events. The statement holds the lock of its row, so the next number is free. */
export const insertNextEvent = (p: Placeholders, member: EventMember) =>
  insertEvent(
    p,
    member,
    `(select coalesce(max(sequence), 0) + 1 from event
        where business_id = ${p.businessId}::uuid and object_id = ${p[`${member.prefix ?? ''}EventObjectId`]}::uuid)`,
  )

function insertEvent(
  p: Placeholders,
  { source, prefix = '', data = (given) => given }: EventMember,
  sequence: string,
): string {
  return `insert into event (business_id, id, type, object_id, sequence, data, created_at)
    select ${p.businessId}::uuid, ${p[`${prefix}EventId`]}::uuid, ${p[`${prefix}EventType`]}::text,
      ${p[`${prefix}EventObjectId`]}::uuid, ${sequence}, ${data(`${p[`${prefix}EventData`]}::jsonb`)}, ${p.at}::timestamptz
    from ${source}`
}

export function eventValues({ id, type, objectId, data }: NewEvent, prefix = ''): Values {
  return {
    [`${prefix}EventId`]: id,
    [`${prefix}EventType`]: type,
    [`${prefix}EventObjectId`]: objectId,
    [`${prefix}EventData`]: JSON.stringify(data),
  }
}

/**
 * `insert into event … from <source>` for any number of events, also of several objects. The statement holds the locks of
 * their rows. The events of one object count up in the order of the list.
 */
export const insertEvents = (p: Placeholders, source: string) => `insert into event
      (business_id, id, type, object_id, sequence, data, created_at)
    select ${p.businessId}::uuid, e.id, e.type, e.object_id,
      row_number() over (partition by e.object_id order by e.position) + (select coalesce(max(sequence), 0) from event
        where business_id = ${p.businessId}::uuid and object_id = e.object_id),
      e.data, e.created_at
    from ${source} as source, jsonb_to_recordset(${p.eventRows}::jsonb)
      as e(position integer, id uuid, type text, object_id uuid, data jsonb, created_at timestamptz)`

export function eventsValues(events: readonly NewEvent[]): Values {
  const rows = events.map(({ id, type, objectId, data, createdAt }, position) => ({
    position,
    id,
    type,
    object_id: objectId,
    data,
    created_at: createdAt,
  }))
  return { eventRows: JSON.stringify(rows) }
}

/** Records an event by itself, in the transaction of the change. That holds the lock of the object's row. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await insertEventFrom(event, sql`(select 1) as one`).execute(tx)
}
