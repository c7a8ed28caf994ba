import { type SelectQueryBuilder, sql } from 'kysely'
import type { EventType } from '../../contract/event.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import type { DB } from '../db/tables.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { RecordedEvent } from './event-object.ts'
import type { StoredData } from './stored-data.ts'

const COLUMNS = [
  'business_id as businessId',
  'id',
  sql<EventType>`type`.as('type'),
  'object_id as objectId',
  'sequence',
  sql<StoredData>`data`.as('data'),
  'created_at as createdAt',
] as const

/**
 * Selects the events within the retention period (EVT-22). Of an older event, possibly only its number is left.
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
  /** Range of the times that the events show; `null` does not filter. */
  range?: { since: Date | null; until: Date | null }
}

export function listEvents(db: Db, which: Which, page: PageRequest): Promise<Page<RecordedEvent>> {
  const { businessId, since } = which
  const query = matching(eventsOf(db, businessId, since), which)
  return readPage(db, { table: 'event', businessId, query }, page)
}

/** Counts events, up to a limit. */
export async function countEvents(db: Db, which: Which, limit: number): Promise<number> {
  const { businessId, since } = which
  const kept = db
    .selectFrom('event')
    .select('id')
    .where('business_id', '=', businessId)
    .where('id', '>=', firstIdAt(since))
  const { count } = await db
    .selectFrom(matching(kept, which).limit(limit).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching<Row>(query: SelectQueryBuilder<DB, 'event', Row>, { type, objectId, range }: Which) {
  const { since = null, until = null } = range ?? {}
  return query
    .$if(type !== undefined, (typed) => typed.where('type', '=', type ?? ''))
    .$if(objectId !== undefined, (typed) => typed.where('object_id', '=', objectId ?? ''))
    .$if(since !== null, (typed) => typed.where('created_at', '>=', since ?? new Date(0)))
    .$if(until !== null, (typed) => typed.where('created_at', '<', until ?? new Date(0)))
}
