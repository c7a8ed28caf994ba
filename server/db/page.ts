import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../lib/errors.ts'
import type { Db } from './connection.ts'
import { type Placeholders, run, type Statement, statement, type Values } from './statement.ts'
import type { DB } from './tables.ts'

/** Position of a page. The ids are those of objects that an earlier page listed. */
export interface PageRequest {
  limit: number
  /** Requests the page of older objects after this one. */
  starting_after?: string
  /** Requests the page of newer objects before this one. */
  ending_before?: string
}

export interface Page<Row> {
  /** Rows of the page, newest first in both directions. */
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
 * Tables ordered by one column alone. The id of an event or a letter implies its time; events are written with
 * payments, which should not write one more index. The number of an audit entry is the order of the commits.
 */
const ORDERED_BY: Partial<Record<Paged, 'id' | 'number'>> = { event: 'id', audit_entry: 'number', letter: 'id' }

/** The object where a page begins, and the parameter that named it. */
export interface Cursor {
  param: 'starting_after' | 'ending_before'
  id: string
}

/**
 * Reads one page, newest first: ordered by creation time, then by id. The cursor is a position, so it works even when
 * its object no longer matches the filter.
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
  return pageOf(found, page.limit, cursor)
}

/** @throws ApiError `validation_failed` for two cursors */
export function cursorOf({ starting_after: after, ending_before: before }: Omit<PageRequest, 'limit'>): Cursor | null {
  if (after !== undefined && before !== undefined) {
    throw invalidField('ending_before', 'cannot be sent together with starting_after')
  }
  if (after !== undefined) return { param: 'starting_after', id: after }
  return before === undefined ? null : { param: 'ending_before', id: before }
}

/** Statements of one list: without a cursor, and with each kind of cursor. */
export interface PageStatements {
  table: Paged
  newest: Statement
  starting_after: Statement
  ending_before: Statement
}

/**
 * Makes the constant statements of a list whose filter is always the same, because building a statement takes as long
 * as running it (measured).
 *
 * @param name name of the list, unique in the process
 * @param where the filter in addition to the business
 */
export function pageStatements(
  name: string,
  { table, columns, where = () => 'true' }: { table: Paged; columns: string; where?: (p: Placeholders) => string },
): PageStatements {
  const page = (kind: string, direction: 'asc' | 'desc', beyondCursor: (p: Placeholders) => string) =>
    statement(
      `${name}_${kind}`,
      (p) => `select ${columns} from ${table} where business_id = ${p.businessId}::uuid and ${where(p)}
        ${beyondCursor(p)} order by created_at ${direction}, id ${direction} limit ${p.rows}::bigint`,
    )
  const beyondOf = (side: '<' | '>') => (p: Placeholders) =>
    `and (created_at, id) ${side} (
      (select created_at from ${table} where business_id = ${p.businessId}::uuid and id = ${p.cursor}::uuid),
      ${p.cursor}::uuid)`
  return {
    table,
    newest: page('newest', 'desc', () => ''),
    starting_after: page('after', 'desc', beyondOf('<')),
    ending_before: page('before', 'asc', beyondOf('>')),
  }
}

/**
 * Like `readPage`, with constant statements.
 *
 * @param values values of the list's filter, and the business
 */
export async function runPage<Row extends object>(
  db: Db,
  statements: PageStatements,
  values: { businessId: string } & Values,
  page: PageRequest,
): Promise<Page<Row>> {
  const cursor = cursorOf(page)
  const rows = page.limit + 1
  const found = cursor
    ? await run<Row>(db, statements[cursor.param], { ...values, rows, cursor: cursor.id })
    : await run<Row>(db, statements.newest, { ...values, rows })
  const { table } = statements
  if (cursor && found.length === 0) await requireKnown(db, { table, businessId: values.businessId, cursor })
  return pageOf(found, page.limit, cursor)
}

function pageOf<Row>(found: Row[], limit: number, cursor: Cursor | null): Page<Row> {
  const rows = found.slice(0, limit)
  return { rows: cursor?.param === 'ending_before' ? rows.reverse() : rows, hasMore: found.length > limit }
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
  if (rows.length === 0) throw unknownCursor(cursor)
}

export const unknownCursor = ({ param }: Cursor) => invalidField(param, 'does not exist in this list')
