import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../lib/errors.ts'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

/** Where a page lies. The ids are of objects that were listed before. */
export interface PageRequest {
  limit: number
  /** The older page, after that object. */
  starting_after?: string
  /** The newer page, before that object. */
  ending_before?: string
}

export interface Page<Row> {
  /** Newest first, whichever way was paged. */
  rows: Row[]
  /** There are more beyond them, in the direction that was asked for. */
  hasMore: boolean
}

/** Tables that are paged through. Each has an index on (business_id, created_at, id), so that a deep page costs what the first does. */
type Paged = 'customer' | 'stored_card' | 'product' | 'price'

/** The object that a page begins at, and which parameter named it. */
interface Cursor {
  param: 'starting_after' | 'ending_before'
  id: string
}

/**
 * Reads one page: creation time descending, the id breaks ties. The cursor is a place and not a row of the list, so it holds
 * also when its object left the list meanwhile.
 *
 * @param query the list's rows, of this business and filtered, without order
 * @throws ApiError `validation_failed` for both cursors at once, and for one that is not an object of this business
 * @see API-10 to API-12
 */
export async function readPage<Table extends Paged, Row>(
  db: Db,
  { table, businessId, query }: { table: Table; businessId: string; query: SelectQueryBuilder<DB, Table, Row> },
  page: PageRequest,
): Promise<Page<Row>> {
  const cursor = cursorOf(page)
  const direction = cursor?.param === 'ending_before' ? 'asc' : 'desc'
  const found = await (cursor ? query.where(beyond(table, businessId, cursor)) : query)
    .orderBy(sql`created_at`, direction)
    .orderBy(sql`id`, direction)
    .limit(page.limit + 1)
    .execute()
  if (cursor && found.length === 0) await requireKnown(db, { table, businessId, cursor })
  const rows = found.slice(0, page.limit)
  return { rows: direction === 'asc' ? rows.reverse() : rows, hasMore: found.length > page.limit }
}

function cursorOf({ starting_after: after, ending_before: before }: PageRequest): Cursor | null {
  if (after !== undefined && before !== undefined) {
    throw invalidField('ending_before', 'cannot be sent together with starting_after')
  }
  if (after !== undefined) return { param: 'starting_after', id: after }
  return before === undefined ? null : { param: 'ending_before', id: before }
}

/** Nothing is beyond an unknown one: the comparison is with null. */
function beyond(table: Paged, businessId: string, { param, id }: Cursor) {
  const side = param === 'starting_after' ? sql`<` : sql`>`
  return sql<boolean>`(created_at, id) ${side} (
    (select created_at from ${sql.table(table)} where business_id = ${businessId}::uuid and id = ${id}::uuid), ${id}::uuid)`
}

async function requireKnown(
  db: Db,
  { table, businessId, cursor }: { table: Paged; businessId: string; cursor: Cursor },
): Promise<void> {
  const { rows } = await sql`select from ${sql.table(table)}
    where business_id = ${businessId}::uuid and id = ${cursor.id}::uuid`.execute(db)
  if (rows.length === 0) throw invalidField(cursor.param, 'is not an object of this list')
}
