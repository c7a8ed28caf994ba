import { sql } from 'kysely'
import type { EventType } from '../../../contract/event.ts'
import type { WebhookDelivery } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import { cursorOf, type Page, type PageRequest, unknownCursor } from '../../db/page.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { countUpTo } from '../count-queries.ts'
import type { DayRange } from '../day-range.ts'

export interface WhichDeliveries extends DayRange {
  businessId: string
  endpointId: string
  /** Events recorded before this are not shown. */
  kept: Date
  /** `undefined` does not filter, in this and the next field. */
  type: EventType | undefined
  status: WebhookDelivery['status'] | undefined
}

export interface ListedDelivery {
  eventId: string
  type: EventType
  createdAt: Date
  status: WebhookDelivery['status']
  attemptCount: number
  dueAt: Date | null
  lastAttemptAt: Date | null
  responseStatus: number | null
  durationMs: number | null
  error: string | null
}

const deliveriesOf = (db: Db, { businessId, endpointId, kept, type, status, since, until }: WhichDeliveries) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('event', (join) =>
      join
        .onRef('event.business_id', '=', 'webhook_delivery.business_id')
        .onRef('event.id', '=', 'webhook_delivery.event_id'),
    )
    .where('webhook_delivery.business_id', '=', businessId)
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_delivery.event_id', '>=', firstIdAt(kept))
    .$if(type !== undefined, (query) => query.where('event.type', '=', type ?? ''))
    .$if(status !== undefined, (query) => query.where('webhook_delivery.status', '=', status ?? 'pending'))
    .$if(since !== null, (query) => query.where('event.created_at', '>=', since as Date))
    .$if(until !== null, (query) => query.where('event.created_at', '<', until as Date))

/**
 * Lists the deliveries of an endpoint, by event, newest first. The cursors are ids of events, which are ordered by
 * time.
 *
 * @throws ApiError `validation_failed` for two cursors, and for an event that was not delivered to the endpoint
 */
export async function listEndpointDeliveries(
  db: Db,
  which: WhichDeliveries,
  page: PageRequest,
): Promise<Page<ListedDelivery>> {
  const { limit } = page
  const cursor = cursorOf(page)
  if (cursor && !(await isDelivery(db, which, cursor.id))) throw unknownCursor(cursor)
  const isBefore = cursor?.param === 'ending_before'
  const found = await deliveriesOf(db, which)
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('webhook_attempt as w')
          .select(['w.attempted_at', 'w.response_status', 'w.duration_ms', 'w.error'])
          .whereRef('w.business_id', '=', 'webhook_delivery.business_id')
          .whereRef('w.event_id', '=', 'webhook_delivery.event_id')
          .whereRef('w.endpoint_id', '=', 'webhook_delivery.endpoint_id')
          .orderBy('w.number', 'desc')
          .limit(1)
          .as('a'),
      (join) => join.onTrue(),
    )
    .select([
      'webhook_delivery.event_id as eventId',
      'event.created_at as createdAt',
      'webhook_delivery.status',
      'webhook_delivery.attempts as attemptCount',
    ])
    .select(['a.attempted_at as lastAttemptAt', 'a.response_status as responseStatus', 'a.duration_ms as durationMs'])
    .select([
      'a.error',
      sql<EventType>`event.type`.as('type'),
      sql<Date | null>`nullif(webhook_delivery.due_at, '-infinity')`.as('dueAt'),
    ])
    .$if(cursor !== null, (query) => query.where('webhook_delivery.event_id', isBefore ? '>' : '<', cursor?.id ?? ''))
    .orderBy('webhook_delivery.event_id', isBefore ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit)
  return { rows: isBefore ? rows.reverse() : rows, hasMore: found.length > limit }
}

async function isDelivery(db: Db, { businessId, endpointId }: WhichDeliveries, eventId: string): Promise<boolean> {
  const found = await db
    .selectFrom('webhook_delivery')
    .select('event_id')
    .where('business_id', '=', businessId)
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return found !== undefined
}

export function countEndpointDeliveries(db: Db, which: WhichDeliveries): Promise<number> {
  return countUpTo(db, deliveriesOf(db, which).select('webhook_delivery.event_id'))
}

/** Number of deliveries with each status. */
export type DeliveryCounts = Record<WebhookDelivery['status'], number>

/** Counts deliveries by the id of their event. An event without deliveries is not in the result. */
export async function countDeliveriesOf(
  db: Db,
  businessId: string,
  eventIds: readonly string[],
): Promise<Map<string, DeliveryCounts>> {
  const counts = new Map<string, DeliveryCounts>()
  if (eventIds.length === 0) return counts
  const rows = await db
    .selectFrom('webhook_delivery')
    .select(['event_id', 'status'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('business_id', '=', businessId)
    .where('event_id', 'in', [...eventIds])
    .groupBy(['event_id', 'status'])
    .execute()
  for (const { event_id: id, status, count } of rows) {
    const known = counts.get(id) ?? { pending: 0, succeeded: 0, failed: 0, canceled: 0 }
    counts.set(id, { ...known, [status]: Number(count) })
  }
  return counts
}

/** Finds the endpoints of deliveries as they are now, including deleted ones. */
export async function findReceivers(
  db: Db,
  businessId: string,
  ids: readonly string[],
): Promise<{ id: string; url: string; status: 'enabled' | 'disabled' | 'deleted' }[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'url', 'status', 'deleted_at'])
    .where('business_id', '=', businessId)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(({ id, url, status, deleted_at }) => ({ id, url, status: deleted_at === null ? status : 'deleted' }))
}
