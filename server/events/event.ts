import type { EventType } from '../../contract/event.ts'
import { newId } from '../lib/ids.ts'

export interface NewEvent {
  businessId: string
  id: string
  type: EventType
  /** Id of the object that changed. Receivers order the events of one object by their sequence. */
  objectId: string
  /** The object as the API returns it after the change. See EVT-2. */
  data: { object: object; previous_attributes?: object; refund?: object }
  createdAt: Date
}

export function newEvent(event: Omit<NewEvent, 'id'>): NewEvent {
  return { ...event, id: newId() }
}
