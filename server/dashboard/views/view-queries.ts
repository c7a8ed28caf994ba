import { sql } from 'kysely'
import type { SavedView, ViewCreate, ViewUpdate } from '../../../contract/dashboard/views-api.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'

interface Owner {
  businessId: string
  userId: string
}

/** Maximum number of views that one person makes in a list, so none of their own is ever left out. */
export const VIEWS_MAX = 100
/** Maximum number of listed views: a person's own, and as many of others. */
const LISTED_MAX = 2 * VIEWS_MAX

const COLUMNS = ['id', 'user_id', 'list', 'name', 'query', 'columns', 'is_shared', 'created_at'] as const

interface ViewRow {
  id: string
  user_id: string
  list: string
  name: string
  query: unknown
  columns: unknown
  is_shared: boolean
  created_at: Date
}

const shown = (row: ViewRow, userId: string): SavedView => ({
  id: row.id,
  object: 'saved_view',
  list: row.list as SavedView['list'],
  name: row.name,
  query: row.query as SavedView['query'],
  columns: row.columns as SavedView['columns'],
  is_shared: row.is_shared,
  is_own: row.user_id === userId,
  created: epochSeconds(row.created_at),
})

/** Lists a person's own views, and those that others share. */
export async function listViews(db: Db, { businessId, userId }: Owner, list: string): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_view')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('list', '=', list)
    .where((row) => row.or([row('user_id', '=', userId), row('is_shared', '=', true)]))
    .orderBy(sql`user_id <> ${userId}`)
    .orderBy('name')
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute()
  return rows.map((row) => shown(row, userId)).sort(byName)
}

const byName = (a: SavedView, b: SavedView) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)

/** Counts a person's views in a list. Waits for another transaction that makes one. */
export async function countOwnViews(tx: Tx, { businessId, userId }: Owner, list: string): Promise<number> {
  await sql`select from business_member where business_id = ${businessId}::uuid and user_id = ${userId}
    for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertView(
  tx: Tx,
  { businessId, userId }: Owner,
  view: ViewCreate,
  now: Date,
): Promise<SavedView> {
  const row = await tx
    .insertInto('saved_view')
    .values({
      business_id: businessId,
      id: newId(),
      user_id: userId,
      list: view.list,
      name: view.name,
      query: JSON.stringify(view.query),
      columns: view.columns ? JSON.stringify(view.columns) : null,
      is_shared: view.is_shared ?? false,
      created_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return shown(row, userId)
}

/** @returns `undefined` for a view that is not the person's own */
export async function updateView(
  tx: Tx,
  { businessId, userId }: Owner,
  id: string,
  { name, query, columns, is_shared }: ViewUpdate,
): Promise<SavedView | undefined> {
  const row = await tx
    .updateTable('saved_view')
    .set({
      user_id: userId,
      ...(name !== undefined && { name }),
      ...(query && { query: JSON.stringify(query) }),
      ...(columns !== undefined && { columns: columns && JSON.stringify(columns) }),
      ...(is_shared !== undefined && { is_shared }),
    })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && shown(row, userId)
}

/** @returns whether the person had it */
export async function deleteView(tx: Tx, { businessId, userId }: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_view')
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
