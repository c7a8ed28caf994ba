import { sql } from 'kysely'
import type { Metadata } from '../../contract/formats.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, pageStatements, readPage, runPage } from '../db/page.ts'
import { run, statement } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import { recordWith } from '../events/event-queries.ts'
import type { Product } from './product.ts'

const COLUMNS = [
  'id',
  'name',
  'description',
  'active',
  'created_at as createdAt',
  sql<Metadata>`metadata`.as('metadata'),
] as const

export const productsOf = (db: Db, businessId: string) =>
  db.selectFrom('product').select(COLUMNS).where('business_id', '=', businessId)

const TEXT = 'id, name, description, active, created_at as "createdAt", metadata'

const FIND = statement(
  'find_product',
  (p) => `select ${TEXT} from product where business_id = ${p.businessId}::uuid and id = ${p.id}::uuid`,
)

export async function findProduct(db: Db, businessId: string, id: string): Promise<Product | undefined> {
  const [product] = await run<Product>(db, FIND, { businessId, id })
  return product
}

/** Locks the product until the end of the transaction. */
export function lockProduct(tx: Tx, businessId: string, id: string): Promise<Product | undefined> {
  return productsOf(tx, businessId).where('id', '=', id).forUpdate().executeTakeFirst()
}

const LIST = pageStatements('products', { table: 'product', columns: TEXT })

/** Lists products. A filter that is `undefined` does not apply. */
export function listProducts(
  db: Db,
  { businessId, active }: { businessId: string; active: boolean | undefined },
  page: PageRequest,
): Promise<Page<Product>> {
  if (active === undefined) return runPage(db, LIST, { businessId }, page)
  const query = productsOf(db, businessId).where('active', '=', active)
  return readPage(db, { table: 'product', businessId, query }, page)
}

export async function insertProduct(db: Db, product: Product, event: NewEvent): Promise<void> {
  const { id, name, description, active, metadata, createdAt } = product
  const insert = sql`changed as (
      insert into product (business_id, id, name, description, active, metadata, created_at, updated_at)
      values (${event.businessId}, ${id}, ${name}, ${description}, ${active}, ${JSON.stringify(metadata)}::jsonb,
        ${createdAt}, ${createdAt})
      returning id
    )`
  await recordWith(db, event, insert)
}

/** Updates a locked product, and records the event. */
export async function updateProduct(tx: Tx, product: Product, event: NewEvent): Promise<void> {
  const { id, name, description, active, metadata } = product
  const update = sql`changed as (
      update product set name = ${name}, description = ${description}, active = ${active},
        metadata = ${JSON.stringify(metadata)}::jsonb, updated_at = ${event.createdAt}
      where business_id = ${event.businessId}::uuid and id = ${id}::uuid
      returning id
    )`
  await recordWith(tx, event, update)
}

/** @returns the names of the products that exist, by id */
export async function findProductNames(
  db: Db,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await productsOf(db, businessId).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
