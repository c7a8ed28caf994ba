import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'

/**
 * Types after which an object never has another event. For any other object, the newest event leaves its number, which
 * the next one continues.
 */
const LAST_TYPES = [
  'checkout.session.completed',
  'checkout.session.failed',
  'checkout.session.expired',
  'checkout.session.canceled',
  'sale.failed',
]
const LAST_LIST = LAST_TYPES.map((type) => `'${type}'`).join(', ')

/**
 * Written into the text of the statement: for a parameter, PostgreSQL would assume a tenth of the table, and read all
 * of it.
 */
export const DELETE_PORTION = 200

/**
 * `old`: the next events of a business. Events that something waits for stay. If the newest event of an object is old,
 * its number stays (with `{}` as data) until a newer event is old.
 */
const DELETE = statement(
  'delete_old_events',
  (p) => `with old as (
      select e.id, e.type, e.object_id, e.sequence,
        exists (select from webhook_delivery d
          where d.business_id = e.business_id and d.event_id = e.id and d.due_at is not null)
        or exists (select from notification n
          where n.business_id = e.business_id and n.id = e.id and n.due_at is not null) as waits
      from event e
      where e.business_id = ${p.businessId}::uuid and e.id > ${p.after}::uuid and e.id < ${p.until}::uuid
      order by e.id limit ${DELETE_PORTION}
    ), past as (
      select o.*, o.type in (${LAST_LIST}) or exists (select from event later
        where later.business_id = ${p.businessId}::uuid and later.object_id = o.object_id
          and later.sequence > o.sequence) as "isCounted"
      from old o where not o.waits
    ), attempts as (
      delete from webhook_attempt where business_id = ${p.businessId}::uuid and event_id in (select id from past)
    ), deliveries as (
      delete from webhook_delivery where business_id = ${p.businessId}::uuid and event_id in (select id from past)
    ), deleted as (
      delete from event where business_id = ${p.businessId}::uuid and id in (select id from past where "isCounted")
    ), emptied as (
      update event set data = '{}' where business_id = ${p.businessId}::uuid
        and id in (select id from past where not "isCounted") and data <> '{}'
    ), numbers as (
      delete from event e using past
      where e.business_id = ${p.businessId}::uuid and e.object_id = past.object_id and e.sequence < past.sequence
        and e.data = '{}' and e.id not in (select id from past)
    )
    select (select count(*) from old)::int as found, (select id from old order by id desc limit 1) as last,
      (select id from old where waits order by id limit 1) as waiting`,
)

interface Portion {
  businessId: string
  /** Ids; both exclusive. */
  after: string
  until: string
}

interface DeletedPortion {
  /** Number of events examined. */
  found: number
  /** Id of the last event examined. */
  last: string | null
  /** Id of the first of them that stays because something waits for it. */
  waiting: string | null
}

/** Deletes the next events with their deliveries and attempts. */
export async function deleteOldEvents(db: Db, portion: Portion): Promise<DeletedPortion> {
  const [done] = await run<DeletedPortion>(db, DELETE, { ...portion })
  return done ?? { found: 0, last: null, waiting: null }
}

/** Deletes the rows of deleted endpoints, whose deliveries were deleted with their events. */
export async function forgetDeletedEndpoints(db: Db, businessId: string, before: Date): Promise<void> {
  await db
    .deleteFrom('webhook_endpoint')
    .where('business_id', '=', businessId)
    .where('deleted_at', '<', before)
    .execute()
}
