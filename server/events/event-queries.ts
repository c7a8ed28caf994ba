import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '../../contract/event.ts'
import type { Db } from '../db/connection.ts'
import { wakeOutbox } from '../db/outbox.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from './event.ts'
import { storedData } from './stored-data.ts'

// Members of a `with` that record events, their deliveries, and what e-mails are composed from, within the statement
// that makes the change: all of it is recorded, or nothing (EVT-1). Their names begin with `recorded`, or with a prefix
// and `_recorded`.

/** Types that may cause e-mails (docs/specification/letters-and-invoices.md). */
export const NOTIFIED_TYPES: readonly EventType[] = [
  'subscription.created',
  'subscription.activated',
  'subscription.updated',
  'payment.succeeded',
  'payment.failed',
  'payment.retries_exhausted',
  'payment.refunded',
  'payment.partially_refunded',
]
const NOTIFIED_LIST = NOTIFIED_TYPES.map((type) => `'${type}'`).join(', ')

const RETURNED = 'returning business_id, id, type, object_id, sequence, created_at'

/** Records a delivery to each enabled endpoint that receives the type. The first attempt is due immediately. */
const deliveriesOf = (recorded: string) => `${recorded}_deliveries as (
    insert into webhook_delivery (business_id, event_id, endpoint_id, object_id, sequence, ordered, status, due_at)
    select e.business_id, e.id, w.id, e.object_id, e.sequence, w.ordered, 'pending', '-infinity'
    from ${recorded} e join webhook_endpoint w on w.business_id = e.business_id
    where w.status = 'enabled' and w.deleted_at is null and w.enabled_events && array['*', e.type]
  )`

const notificationsOf = (recorded: string) => `${recorded}_notifications as (
    insert into notification (business_id, id, type, event_id, due_at, created_at)
    select e.business_id, e.id, e.type, e.id, '-infinity', e.created_at from ${recorded} e where e.type in (${NOTIFIED_LIST})
  )`

interface EventMember {
  source: string
  /** Prefix of the names if a statement records several events: `card` for `p.cardEventId`. */
  prefix?: string
  /** Returns an expression for the event's data, if the database adds to the given data. */
  data?: (given: string) => string
}

/**
 * Records an event for each row of the source, in a statement that has `p.businessId` and `p.at`. It must be the first
 * event of an object that the statement creates or closes, so its number is known. The key of object and number refuses
 * a second one.
 */
export const firstEventMembers = (p: Placeholders, member: EventMember) => eventMembers(p, member, '1')

/**
 * Records an event for an object that may already have events. The statement holds the lock of its row, so the next
 * number is free.
 */
export const nextEventMembers = (p: Placeholders, member: EventMember) =>
  eventMembers(
    p,
    member,
    `(select coalesce(max(sequence), 0) + 1 from event
        where business_id = ${p.businessId}::uuid and object_id = ${p[`${member.prefix ?? ''}EventObjectId`]}::uuid)`,
  )

function eventMembers(
  p: Placeholders,
  { source, prefix = '', data = (given) => given }: EventMember,
  sequence: string,
): string {
  const recorded = prefix === '' ? 'recorded' : `${prefix}_recorded`
  return `${recorded} as (
    insert into event (business_id, id, type, object_id, sequence, data, created_at)
    select ${p.businessId}::uuid, ${p[`${prefix}EventId`]}::uuid, ${p[`${prefix}EventType`]}::text,
      ${p[`${prefix}EventObjectId`]}::uuid, ${sequence}, ${data(`${p[`${prefix}EventData`]}::jsonb`)}, ${p.at}::timestamptz
    from ${source} ${RETURNED}
  ), ${deliveriesOf(recorded)}`
}

/** @throws for a type that may cause e-mails: these members cause none */
export function eventValues(event: NewEvent, prefix = ''): Values {
  const { id, type, objectId } = event
  if (NOTIFIED_TYPES.includes(type)) throw new Error(`The event ${type} may make letters: record it with eventsMembers`)
  return {
    [`${prefix}EventId`]: id,
    [`${prefix}EventType`]: type,
    [`${prefix}EventObjectId`]: objectId,
    [`${prefix}EventData`]: JSON.stringify(storedData(event)),
  }
}

/**
 * Records any number of events, possibly of several objects, if the source has a row. The statement must hold the locks
 * of their rows. The events of one object are numbered in the order of the list.
 */
export const eventsMembers = (p: Placeholders, source: string) => `recorded as (
    insert into event (business_id, id, type, object_id, sequence, data, created_at)
    select ${p.businessId}::uuid, e.id, e.type, e.object_id,
      e.number + (select coalesce(max(sequence), 0) from event
        where business_id = ${p.businessId}::uuid and object_id = e.object_id),
      e.data, e.created_at
    from ${source} as source, jsonb_to_recordset(${p.eventRows}::jsonb)
      as e(number integer, id uuid, type text, object_id uuid, data jsonb, created_at timestamptz)
    ${RETURNED}
  ), ${deliveriesOf('recorded')}, ${notificationsOf('recorded')}`

export function eventsValues(events: readonly NewEvent[]): Values {
  const counted = new Map<string, number>()
  const numberOf = (objectId: string) => {
    const number = (counted.get(objectId) ?? 0) + 1
    counted.set(objectId, number)
    return number
  }
  const rows = events.map((event) => ({
    number: numberOf(event.objectId),
    id: event.id,
    type: event.type,
    object_id: event.objectId,
    data: storedData(event),
    created_at: event.createdAt,
  }))
  return { eventRows: JSON.stringify(rows) }
}

/**
 * Runs `with <change>` and records the event for each row of its member `changed`. The change must hold the lock of the
 * object's row, so that the next sequence number is free.
 *
 * @returns whether there was a row
 */
export async function recordWith(db: Db, event: NewEvent, change: RawBuilder<unknown>): Promise<boolean> {
  const { businessId, id, type, objectId, createdAt } = event
  const { rows } = await sql`with ${change}, recorded as (
      insert into event (business_id, id, type, object_id, sequence, data, created_at)
      select ${businessId}::uuid, ${id}::uuid, ${type}::text, ${objectId}::uuid,
        (select coalesce(max(sequence), 0) + 1 from event
          where business_id = ${businessId}::uuid and object_id = ${objectId}::uuid),
        ${JSON.stringify(storedData(event))}::jsonb, ${createdAt}::timestamptz
      from changed ${sql.raw(RETURNED)}
    ), ${sql.raw(deliveriesOf('recorded'))}, ${sql.raw(notificationsOf('recorded'))}
    select id from recorded`.execute(db)
  wakeOutbox({ businessId, notifies: NOTIFIED_TYPES.includes(type) })
  return rows.length > 0
}

const PING = statement(
  'record_ping',
  (p) => `with ping as (
      insert into event (business_id, id, type, object_id, sequence, data, created_at)
      select ${p.businessId}::uuid, ${p.id}::uuid, ${p.type}::text, ${p.objectId}::uuid,
        (select coalesce(max(sequence), 0) + 1 from event
          where business_id = ${p.businessId}::uuid and object_id = ${p.objectId}::uuid),
        ${p.data}::jsonb, ${p.createdAt}::timestamptz
      returning business_id, id, object_id, sequence
    ), delivered as (
      insert into webhook_delivery (business_id, event_id, endpoint_id, object_id, sequence, ordered, status, due_at)
      select business_id, id, object_id, object_id, sequence, false, 'pending', '-infinity' from ping
    )
    select sequence from ping`,
)

/**
 * Records an event of an endpoint, whose row is locked, and delivers it to that endpoint alone, whatever types it
 * receives.
 *
 * @returns the sequence of the event
 */
export async function recordPing(tx: Tx, event: NewEvent): Promise<number> {
  const rows = await run<{ sequence: number }>(tx, PING, { ...event, data: JSON.stringify(event.data) })
  return rows[0]?.sequence ?? 1
}

/** Records an event by itself, in the transaction of the change, which must hold the lock of the object's row. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await recordWith(tx, event, sql`changed as (select 1 as one)`)
}
