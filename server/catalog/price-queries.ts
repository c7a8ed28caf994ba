import { sql } from 'kysely'
import type { Metadata } from '../../contract/formats.ts'
import { PRICES_MAX } from '../../contract/product.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, pageStatements, readPage, runPage } from '../db/page.ts'
import { run, statement } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import { recordWith } from '../events/event-queries.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Interval } from './cadence.ts'
import type { Price } from './price.ts'

const pricesOf = (db: Db, businessId: string) =>
  db
    .selectFrom('price')
    .select(['id', 'product_id', 'recurring_interval_count', 'nickname', 'active', 'created_at'])
    .select([
      sql<Cents>`unit_amount`.as('unit_amount'),
      sql<Currency>`currency`.as('currency'),
      sql<Interval | null>`recurring_interval`.as('recurring_interval'),
      sql<Metadata>`metadata`.as('metadata'),
    ])
    .where('business_id', '=', businessId)

type PriceRow = Awaited<ReturnType<ReturnType<typeof pricesOf>['executeTakeFirstOrThrow']>>

function priceFrom(row: PriceRow): Price {
  const { id, nickname, active, metadata, recurring_interval: interval, recurring_interval_count: count } = row
  return {
    id,
    productId: row.product_id,
    unitAmount: row.unit_amount,
    currency: row.currency,
    cadence: interval === null || count === null ? null : { interval, count },
    nickname,
    active,
    metadata,
    createdAt: row.created_at,
  }
}

export async function findPrice(db: Db, businessId: string, id: string): Promise<Price | undefined> {
  const row = await pricesOf(db, businessId).where('id', '=', id).executeTakeFirst()
  return row && priceFrom(row)
}

const TEXT = `id, product_id, recurring_interval_count, nickname, active, created_at, unit_amount, currency,
  recurring_interval, metadata`

const FIND_SEVERAL = statement(
  'find_prices',
  (p) => `select ${TEXT}
    from price where business_id = ${p.businessId}::uuid and id = any(${p.ids}::uuid[])`,
)

/** @returns the prices that exist, by id */
export async function findPrices(db: Db, businessId: string, ids: readonly string[]): Promise<Map<string, Price>> {
  if (ids.length === 0) return new Map()
  const rows = await run<PriceRow>(db, FIND_SEVERAL, { businessId, ids })
  return new Map(rows.map((row) => [row.id, priceFrom(row)]))
}

/** Locks the price until the end of the transaction. */
export async function lockPrice(tx: Tx, businessId: string, id: string): Promise<Price | undefined> {
  const row = await pricesOf(tx, businessId).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && priceFrom(row)
}

const OF_PRODUCT = pageStatements('prices_of_product', {
  table: 'price',
  columns: TEXT,
  where: (p) => `product_id = ${p.productId}::uuid`,
})

/** Returns the newest prices of a product, as many as a product shows. */
export async function pricesOfProduct(db: Db, businessId: string, productId: string): Promise<Page<Price>> {
  const { rows, hasMore } = await runPage<PriceRow>(db, OF_PRODUCT, { businessId, productId }, { limit: PRICES_MAX })
  return { rows: rows.map(priceFrom), hasMore }
}

/** Returns the ids of all prices of a product. */
export async function priceIdsOf(db: Db, businessId: string, productId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('price')
    .select('id')
    .where('business_id', '=', businessId)
    .where('product_id', '=', productId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists prices. A filter that is `undefined` does not apply. */
export async function listPrices(
  db: Db,
  { businessId, productId, active }: { businessId: string; productId: string | undefined; active: boolean | undefined },
  page: PageRequest,
): Promise<Page<Price>> {
  let query = pricesOf(db, businessId)
  if (productId !== undefined) query = query.where('product_id', '=', productId)
  if (active !== undefined) query = query.where('active', '=', active)
  const { rows, hasMore } = await readPage(db, { table: 'price', businessId, query }, page)
  return { rows: rows.map(priceFrom), hasMore }
}

/** @returns `false` if the business has no such product */
export function insertPrice(db: Db, price: Price, event: NewEvent): Promise<boolean> {
  const { id, productId, unitAmount, currency, cadence, nickname, active, metadata, createdAt } = price
  const insert = sql`changed as (
      insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval,
        recurring_interval_count, nickname, active, metadata, created_at, updated_at)
      select business_id, ${id}::uuid, id, ${unitAmount}::bigint, ${currency}::text, ${cadence?.interval ?? null}::text,
        ${cadence?.count ?? null}::smallint, ${nickname}::text, ${active}::boolean, ${JSON.stringify(metadata)}::jsonb,
        ${createdAt}::timestamptz, ${createdAt}::timestamptz
      from product where business_id = ${event.businessId}::uuid and id = ${productId}::uuid
      returning id
    )`
  return recordWith(db, event, insert)
}

/** Updates the changeable columns of a locked price, and records the event. */
export async function updatePrice(tx: Tx, { id, nickname, active, metadata }: Price, event: NewEvent): Promise<void> {
  const update = sql`changed as (
      update price set nickname = ${nickname}, active = ${active}, metadata = ${JSON.stringify(metadata)}::jsonb,
        updated_at = ${event.createdAt}
      where business_id = ${event.businessId}::uuid and id = ${id}::uuid
      returning id
    )`
  await recordWith(tx, event, update)
}
