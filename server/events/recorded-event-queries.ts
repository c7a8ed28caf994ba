import { sql } from 'kysely'
import type { EventType } from '../../contract/event.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { NewEvent } from './event.ts'
import type { RecordedEvent } from './event-object.ts'

const COLUMNS = [
  'business_id as businessId',
  'id',
  sql<EventType>`type`.as('type'),
  'object_id as objectId',
  'sequence',
  sql<NewEvent['data']>`data`.as('data'),
  'created_at as createdAt',
] as const

/**
 * The events that are kept (EVT-22). Of an older one, only its number may be left.
 *
 * @param since in real time
 */
const eventsOf = (db: Db, businessId: string, since: Date) =>
  db
    .selectFrom('event')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('id', '>=', firstIdAt(since))
    .where(sql<boolean>`data ? 'object'`)

export function findEvent(
  db: Db,
  { businessId, id, since }: { businessId: string; id: string; since: Date },
): Promise<RecordedEvent | undefined> {
  return eventsOf(db, businessId, since).where('id', '=', id).executeTakeFirst()
}

interface Which {
  businessId: string
  since: Date
  /** `undefined` does not filter. */
  type: EventType | undefined
  objectId: string | undefined
}

export function listEvents(db: Db, which: Which, page: PageRequest): Promise<Page<RecordedEvent>> {
  const { businessId, since, type, objectId } = which
  let query = eventsOf(db, businessId, since)
  if (type !== undefined) query = query.where('type', '=', type)
  if (objectId !== undefined) query = query.where('object_id', '=', objectId)
  return readPage(db, { table: 'event', businessId, query }, page)
}
