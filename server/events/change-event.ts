import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '../../contract/event.ts'
import { type NewEvent, newEvent } from './event.ts'

interface Change<Shown> {
  businessId: string
  type: EventType
  /** The object as the API shows it. */
  before: Shown
  after: Shown
  createdAt: Date
}

/**
 * What became of an object that was changed: as it is now, and what of it was different (EVT-2).
 *
 * @returns `null` when nothing was: then there is no fact, and no event
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
