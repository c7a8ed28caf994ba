import type { EventEnvelope, EventType } from '../../contract/event.ts'
import type { Environment } from '../access/shared/context.ts'
import { epochSeconds } from '../lib/clock.ts'
import { type LinkOf, withLinks } from './event-links.ts'
import { readStoredData, type StoredData } from './stored-data.ts'

const API_VERSION = 'v1.0'

/** Event as it was recorded. */
export interface RecordedEvent {
  businessId: string
  id: string
  type: EventType
  objectId: string
  /** Number of the event among those of the object, starting at 1. */
  sequence: number
  data: StoredData
  createdAt: Date
}

/** Context in which an event is read. */
export interface EventReader {
  environment: Environment
  /** `null` if the reader may not act for the customer. */
  subscriptionLink: LinkOf | null
}

/** Returns the event envelope, as it is delivered and as the API returns it (EVT-2). */
export function eventObject(
  { businessId, id, type, sequence, data, createdAt }: RecordedEvent,
  { environment, subscriptionLink }: EventReader,
): EventEnvelope {
  return {
    id,
    object: 'event',
    type,
    api_version: API_VERSION,
    created: epochSeconds(createdAt),
    livemode: environment === 'production',
    business_id: businessId,
    sequence,
    data: withLinks(readStoredData(data), businessId, subscriptionLink) as EventEnvelope['data'],
  }
}
