import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../lib/errors.ts'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

/** The position of a page. The ids are those of objects that an earlier page listed. */
export interface PageRequest {
  limit: number
  /** The page of older objects after this one. */
  starting_after?: string
  /** The page of newer objects before this one. */
  ending_before?: string
}

export interface Page<Row> {
  /** Newest first, in both directions. */
  rows: Row[]
  /** Whether there are more rows in the requested direction. */
  hasMore: boolean
}

/**
 * Tables with an index on (business_id, created_at, id), so that a deep page costs the same as the first, and
 * webhook_endpoint, which has a few rows for each business.
 */
type Paged =
  | 'customer'
  | 'stored_card'
  | 'checkout_session'
  | 'contract'
  | 'product'
  | 'price'
  | 'subscription'
  | 'payment'
  | 'refund'
  | 'batch'
  | 'webhook_endpoint'
  | 'event'
  | 'refused_request'
  | 'audit_entry'
  | 'letter'

/**
 * Ordered by one column alone. The id of an event or a letter is a time too: events are written with payments, which write no further
 * index. An audit entry's number is the order of the commits.
 */
const ORDERED_BY: Partial<Record<Paged, 'id' | 'number'>> = { event: 'id', audit_entry: 'number', letter: 'id' }

/** The object where a page begins, and the parameter that named it. */
interface Cursor {
  param: 'starting_after' | 'ending_before'
  id: string
}

/**
 * Reads one page, newest first: ordered by creation time, then by id. The cursor is a position, so it works even when its
 * object no longer matches the filter.
 *
 * @param query the filtered rows of this business, without an order
 * @throws ApiError `validation_failed` for two cursors, and for a cursor that does not exist in this business
 * @see API-10 to API-12
 */
export async function readPage<Table extends Paged, Row>(
  db: Db,
  { table, businessId, query }: { table: Table; businessId: string; query: SelectQueryBuilder<DB, Table, Row> },
  page: PageRequest,
): Promise<Page<Row>> {
  const cursor = cursorOf(page)
  const direction = cursor?.param === 'ending_before' ? 'asc' : 'desc'
  const beginning = cursor ? query.where(beyond(table, businessId, cursor)) : query
  const order = ORDERED_BY[table]
  const found = await (order ? beginning : beginning.orderBy(sql`created_at`, direction))
    .orderBy(sql.ref(order ?? 'id'), direction)
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

/** Selects no row for an unknown cursor, because a comparison with null is not true. */
function beyond(table: Paged, businessId: string, { param, id }: Cursor) {
  const side = param === 'starting_after' ? sql`<` : sql`>`
  const order = ORDERED_BY[table]
  if (order) {
    return sql<boolean>`${sql.ref(order)} ${side} (
      select ${sql.ref(order)} from ${sql.table(table)} where business_id = ${businessId}::uuid and id = ${id}::uuid)`
  }
  return sql<boolean>`(created_at, id) ${side} (
    (select created_at from ${sql.table(table)} where business_id = ${businessId}::uuid and id = ${id}::uuid), ${id}::uuid)`
}

async function requireKnown(
  db: Db,
  { table, businessId, cursor }: { table: Paged; businessId: string; cursor: Cursor },
): Promise<void> {
  const { rows } = await sql`select from ${sql.table(table)}
    where business_id = ${businessId}::uuid and id = ${cursor.id}::uuid`.execute(db)
  if (rows.length === 0) throw invalidField(cursor.param, 'does not exist in this list')
}
