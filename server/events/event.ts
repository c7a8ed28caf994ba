import type { EventType } from '../../contract/event.ts'
import { newId } from '../lib/ids.ts'

export interface NewEvent {
  businessId: string
  id: string
  type: EventType
  /** What it is about: receivers order the events of one object by their sequence. */
  objectId: string
  /** EVT-2: the object as the API shows it after the change. */
  data: { object: object; previous_attributes?: object }
  createdAt: Date
}

export function newEvent(event: Omit<NewEvent, 'id'>): NewEvent {
  return { ...event, id: newId() }
}
