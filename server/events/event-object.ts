import type { EventEnvelope, EventType } from '../../contract/event.ts'
import type { Environment } from '../access/shared/context.ts'
import { epochSeconds } from '../lib/clock.ts'
import { type LinkOf, withLinks } from './event-links.ts'
import { readStoredData, type StoredData } from './stored-data.ts'

const API_VERSION = 'v1.0'

/** An event as it was recorded. */
export interface RecordedEvent {
  businessId: string
  id: string
  type: EventType
  objectId: string
  /** Counts the events of the object from 1. */
  sequence: number
  data: StoredData
  createdAt: Date
}

/** Who reads an event, and where. */
export interface EventReader {
  environment: Environment
  /** `null`: somebody who may not act for the customer. */
  subscriptionLink: LinkOf | null
}

/** The envelope, as it is delivered and as the API returns it (EVT-2). */
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
