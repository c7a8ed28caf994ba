import { sql } from 'kysely'
import { ATTEMPTS_SHOWN } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import { wakeOutbox } from '../../db/outbox.ts'
import { run, statement } from '../../db/statement.ts'
import type { Tx } from '../../db/transaction.ts'
import type { DeliveryOfEvent } from './webhook-delivery.ts'

/** Lists all deliveries of an event, including those to deleted endpoints. */
export async function listDeliveries(db: Db, businessId: string, eventId: string): Promise<DeliveryOfEvent[]> {
  const { rows } = await sql<DeliveryOfEvent>`select d.event_id as "eventId", d.endpoint_id as "endpointId", d.status,
      d.attempts as "attemptCount", nullif(d.due_at, '-infinity') as "dueAt", coalesce(a.attempts, '[]') as attempts
    from webhook_delivery d
    left join lateral (
      select json_agg(json_build_object('number', newest.number, 'url', newest.url,
        'attemptedAtMs', (extract(epoch from newest.attempted_at) * 1000)::float8, 'durationMs', newest.duration_ms,
        'responseStatus', newest.response_status, 'responseHeaders', newest.response_headers,
        'responseBody', newest.response_body, 'error', newest.error)
        order by newest.number desc) as attempts
      from (
        select * from webhook_attempt w
        where w.business_id = d.business_id and w.event_id = d.event_id and w.endpoint_id = d.endpoint_id
        order by w.number desc limit ${ATTEMPTS_SHOWN}::int
      ) newest
    ) a on true
    where d.business_id = ${businessId}::uuid and d.event_id = ${eventId}::uuid
    order by d.endpoint_id`.execute(db)
  return rows
}

/**
 * Makes a delivery due now, or creates one if there is none; its retry schedule starts again. Rows are locked in key
 * order, whatever the plan, so that two calls for the same deliveries wait for each other.
 */
const MADE_DUE = (at: string) => `insert into webhook_delivery
      (business_id, event_id, endpoint_id, object_id, sequence, ordered, status, due_at)
    select business_id, event_id, endpoint_id, object_id, sequence, ordered, 'pending', ${at}::timestamptz from wanted
    order by event_id, endpoint_id
    on conflict (business_id, event_id, endpoint_id) do update
    set status = 'pending', due_at = excluded.due_at, retries = 0, ordered = excluded.ordered, finished_at = null,
      lease_epoch = webhook_delivery.lease_epoch + 1
    returning event_id`

const REDELIVER_EVENT = statement(
  'redeliver_event',
  (p) => `with wanted as (
      select e.business_id, e.id as event_id, w.id as endpoint_id, e.object_id, e.sequence,
        w.ordered and e.type <> 'ping' as ordered
      from event e join webhook_endpoint w on w.business_id = e.business_id and w.id = any(${p.endpointIds}::uuid[])
      where e.business_id = ${p.businessId}::uuid and e.id = ${p.eventId}::uuid
    )
    ${MADE_DUE(p.at ?? '')}`,
)

/** @param given `endpointIds` must be enabled and locked */
export async function redeliver(
  tx: Tx,
  given: { businessId: string; eventId: string; endpointIds: readonly string[]; at: Date },
): Promise<void> {
  await run(tx, REDELIVER_EVENT, given)
  wakeOutbox({ businessId: given.businessId, notifies: false })
}

/**
 * Written into the text of the statement: for a parameter, PostgreSQL would assume a tenth of the table, and read all
 * of it.
 */
export const REDELIVER_PORTION = 5_000

const REDELIVER_AFTER = statement(
  'redeliver_after',
  (p) => `with scanned as (
      select business_id, id, type, object_id, sequence from event
      where business_id = ${p.businessId}::uuid and id > ${p.after}::uuid order by id limit ${REDELIVER_PORTION}
    ), found as (
      select e.business_id, e.id as event_id, w.id as endpoint_id, e.object_id, e.sequence, w.ordered
      from scanned e
      join webhook_endpoint w on w.business_id = e.business_id and w.id = ${p.endpointId}::uuid
        and w.status = 'enabled' and w.deleted_at is null
      left join webhook_delivery d on d.business_id = e.business_id and d.event_id = e.id and d.endpoint_id = w.id
      where d.status::text = any(${p.statuses}::text[])
        or (d.event_id is null and 'missing' = any(${p.statuses}::text[])
          and e.type <> 'ping' and w.enabled_events && array['*', e.type])
      order by e.id limit ${p.limit}::int + 1
    ), wanted as (
      select * from found order by event_id limit ${p.limit}::int
    ), due as (
      ${MADE_DUE(p.at ?? '')}
    )
    select d.deliveries, f.found > d.deliveries as "isCut", s.scanned,
      case when f.found > d.deliveries then d.last else s.last end as "lastEvent"
    from (select count(*)::int as deliveries, max(event_id::text) as last from due) d,
      (select count(*)::int as found from found) f,
      (select count(*)::int as scanned, max(id::text) as last from scanned) s`,
)

export interface RedeliverAfter {
  businessId: string
  /** Must be enabled and locked; otherwise there is nothing to redeliver. */
  endpointId: string
  /** Id of the event after which to start. */
  after: string
  statuses: readonly string[]
  /** Maximum number of deliveries. */
  limit: number
  at: Date
}

interface Redelivered {
  deliveries: number
  /** Number of events examined. */
  scanned: number
  /** Id of the last event that needs no further look. */
  lastEvent: string | null
  /** Whether more deliveries were wanted than the limit allows. */
  isCut: boolean
}

/** Examines the next events in order, and redelivers the wanted ones. */
export async function redeliverAfter(tx: Tx, given: RedeliverAfter): Promise<Redelivered> {
  const [row] = await run<Redelivered>(tx, REDELIVER_AFTER, { ...given })
  wakeOutbox({ businessId: given.businessId, notifies: false })
  return row ?? { deliveries: 0, scanned: 0, lastEvent: null, isCut: false }
}
