import type { EndpointRedelivery, EndpointRedeliveryResult } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { keptSince, noSuchEvent } from '../kept-events.ts'
import { findEvent } from '../recorded-event-queries.ts'
import { REDELIVER_PORTION, redeliver, redeliverAfter } from './webhook-delivery-queries.ts'
import { noSuchEndpoint, requireEnabled } from './webhook-endpoint.ts'
import { findEndpoint } from './webhook-endpoint-queries.ts'

/** Statements of one request. */
const PORTIONS_MAX = 10

interface RedeliverServices {
  db: Db
  clock: Clock
  eventDays: number
}

interface OfEvent {
  businessId: string
  id: string
  /** `undefined`: every endpoint that receives the type. */
  endpointId: string | undefined
}

/**
 * Delivers an event again, under the same id.
 *
 * @returns how many deliveries are due
 * @throws ApiError `not_found`; `conflict` for a disabled endpoint; `validation_failed` for the ping of another
 * endpoint
 */
export async function redeliverEvent(services: RedeliverServices, given: OfEvent): Promise<number> {
  const { db, clock, eventDays } = services
  const { businessId, id } = given
  const event = await findEvent(db, { businessId, id, since: keptSince(clock, eventDays) })
  if (!event) throw noSuchEvent()
  const isPing = event.type === 'ping'
  const endpointId = given.endpointId ?? (isPing ? event.objectId : null)
  if (endpointId !== null) await requireReceiver(db, businessId, endpointId)
  if (isPing && endpointId !== event.objectId) {
    throw invalidField('webhook_endpoint', 'is not the endpoint of this ping')
  }
  return redeliver(db, { businessId, eventId: id, endpointId, at: clock.now() })
}

async function requireReceiver(db: Db, businessId: string, id: string): Promise<void> {
  const endpoint = await findEndpoint(db, businessId, id)
  if (!endpoint) throw noSuchEndpoint('webhook_endpoint')
  requireEnabled(endpoint)
}

/**
 * Delivers again what an endpoint missed since an instant, oldest first. A request looks at a limited number of events;
 * the next one continues.
 *
 * @throws ApiError `not_found`, `conflict` for a disabled endpoint, `validation_failed`
 */
export async function redeliverSince(
  { db, clock, eventDays }: RedeliverServices,
  { businessId, id, input }: { businessId: string; id: string; input: EndpointRedelivery },
): Promise<EndpointRedeliveryResult> {
  const at = clock.now()
  if (input.since * 1000 > at.getTime()) throw invalidField('since', 'must not be in the future')
  const endpoint = await findEndpoint(db, businessId, id)
  if (!endpoint) throw noSuchEndpoint('id')
  requireEnabled(endpoint)
  const given = { businessId, endpointId: id, statuses: input.status, at }
  const result: EndpointRedeliveryResult = { object: 'redelivery', deliveries: 0, has_more: true, last_event: null }
  const start = startOf(input, keptSince(clock, eventDays))
  for (let portion = 0; result.has_more && portion < PORTIONS_MAX; portion++) {
    const done = await redeliverAfter(db, { ...given, after: result.last_event ?? start })
    result.deliveries += done.deliveries
    result.last_event = done.lastEvent ?? result.last_event
    result.has_more = done.scanned === REDELIVER_PORTION
  }
  return result
}

/** Ids are ordered by time. Of events before `kept`, only their numbers may be left. */
function startOf({ since, starting_after }: EndpointRedelivery, kept: Date): string {
  const instant = new Date(Math.max(since * 1000, kept.getTime()))
  const first = firstIdAt(instant)
  return starting_after !== undefined && starting_after > first ? starting_after : first
}
