import type { DeliveryFilters, EventFilters } from '../../../contract/dashboard/webhooks-api.ts'
import type { Business } from '../../businesses/business.ts'
import { keptSince } from '../../events/kept-events.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayRange } from '../day-range.ts'
import type { WhichDeliveries } from './delivery-list-queries.ts'

/** What decides how long events are stored. */
export interface KeptEvents {
  clock: Clock
  eventDays: number
}

/**
 * Returns the filter for a list, an export and a count of events.
 *
 * @throws ApiError `validation_failed` when the last day is before the first
 */
export function eventFilter({ id, timeZone }: Business, query: EventFilters, { clock, eventDays }: KeptEvents) {
  const { type, object: objectId } = query
  const range = dayRange(query, timeZone)
  return { businessId: id, since: keptSince(clock, eventDays), type, objectId, range }
}

/**
 * Like `eventFilter`, for the deliveries of an endpoint.
 *
 * @throws ApiError `validation_failed` when the last day is before the first
 */
export function deliveryFilter(
  { id, timeZone }: Business,
  { endpointId, ...query }: DeliveryFilters & { endpointId: string },
  { clock, eventDays }: KeptEvents,
): WhichDeliveries {
  const { type, status } = query
  const kept = keptSince(clock, eventDays)
  return { businessId: id, endpointId, kept, type, status, ...dayRange(query, timeZone) }
}
