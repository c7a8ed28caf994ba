import { sql } from 'kysely'
import { productsOf } from '../../catalog/product-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type PageRequest, readPage } from '../../db/page.ts'
import { formOf, hasWords } from '../../db/search.ts'
import { firstIdAt, isUuid } from '../../lib/ids.ts'
import { countUpTo } from '../count-queries.ts'

/** An `undefined` field does not filter. */
export interface ProductFilter {
  businessId: string
  active?: boolean | undefined
  /** Words of the product's name, or an id. */
  q?: string | undefined
}

const matching = (db: Db, { businessId, active, q }: ProductFilter) =>
  productsOf(db, businessId)
    .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
    .$if(q !== undefined, (query) => query.where(isOrHasWords(q ?? '')))

const isOrHasWords = (q: string) => (isUuid(q) ? sql<boolean>`id = ${q}::uuid` : hasWords(formOf(sql`name`), q))

/** Counts the products that match, up to 10,001. */
export const countProducts = (db: Db, filter: ProductFilter): Promise<number> => countUpTo(db, matching(db, filter))

export function listMatching(db: Db, filter: ProductFilter, page: PageRequest) {
  return readPage(db, { table: 'product', businessId: filter.businessId, query: matching(db, filter) }, page)
}

/** Counts the prices that match, up to 10,001. */
export function countPrices(
  db: Db,
  { businessId, productId, active }: { businessId: string; productId: string | undefined; active: boolean | undefined },
): Promise<number> {
  const query = db
    .selectFrom('price')
    .select('id')
    .where('business_id', '=', businessId)
    .$if(productId !== undefined, (all) => all.where('product_id', '=', productId ?? ''))
    .$if(active !== undefined, (all) => all.where('active', '=', active ?? true))
  return countUpTo(db, query)
}

/** Returns, for each product, how many active prices it has and the id of one of them. */
export async function countActivePrices(
  db: Db,
  businessId: string,
  productIds: readonly string[],
): Promise<Map<string, { count: number; priceId: string }>> {
  if (productIds.length === 0) return new Map()
  const { rows } = await sql<{ productId: string; count: number; priceId: string }>`
    select product_id as "productId", count(*)::int as count, min(id::text) as "priceId" from price
    where business_id = ${businessId}::uuid and product_id = any(${productIds}::uuid[]) and active
    group by product_id`.execute(db)
  return new Map(rows.map(({ productId, ...row }) => [productId, row]))
}

export interface PriceFigures {
  priceId: string
  productId: string
  activeSubscriptions: number
  /** Total of the paid bills in cents, before tax and surcharge. */
  volume: number
}

/**
 * Returns how much the prices of a business are used: active subscriptions, and bills that were paid since a time and
 * not voided. Reads every active subscription and every payment since then.
 *
 * @param since in the business's time, which is never behind real time, so payments since then have no smaller ids
 */
export async function readPriceFigures(
  db: Db,
  businessId: string,
  { since, sinceReal }: { since: Date; sinceReal: Date },
): Promise<PriceFigures[]> {
  const items = sql`cross join lateral jsonb_to_recordset(s.items) as item (price uuid, quantity int)`
  const { rows } = await sql<PriceFigures>`
    with used as (
      select item.price, count(distinct s.id)::int as active, 0::bigint as quantity
      from subscription s ${items}
      where s.business_id = ${businessId}::uuid and s.status = 'active' group by item.price
      union all
      select item.price, 0, sum(item.quantity)::bigint
      from payment p join subscription s on s.business_id = p.business_id and s.id = p.subscription_id ${items}
      where p.business_id = ${businessId}::uuid and p.id >= ${firstIdAt(sinceReal)}::uuid
        and p.created_at >= ${since}::timestamptz and p.status in ('succeeded', 'refunded')
      group by item.price
    )
    select price.id as "priceId", price.product_id as "productId", sum(used.active)::int as "activeSubscriptions",
      (sum(used.quantity) * price.unit_amount)::bigint as volume
    from used join price on price.business_id = ${businessId}::uuid and price.id = used.price
    group by price.id, price.product_id, price.unit_amount
    order by 3 desc, 4 desc`.execute(db)
  return rows
}
