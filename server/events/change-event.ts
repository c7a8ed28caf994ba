import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../../contract/event.ts'
import { type NewEvent, newEvent } from './event.ts'

interface Change<Shown> {
  businessId: string
  type: EventType
  /** Object as the API returned it before the change. */
  before: Shown
  after: Shown
  createdAt: Date
}

/**
 * Builds the event of a changed object, with the former values of the changed fields in `previous_attributes`.
 *
 * @returns `null` if nothing changed
 * @see EVT-2
 */
export function changeEvent<Shown extends { id: string }>(change: Change<Shown>): NewEvent | null {
  const { before, after, ...event } = change
  const different = Object.entries(before).filter(
    ([name, value]) => !isDeepStrictEqual(value, Reflect.get(after, name)),
  )
  if (different.length === 0) return null
  const data = { object: after, previous_attributes: Object.fromEntries(different) }
  return newEvent({ ...event, objectId: after.id, data })
}
