import { type RawBuilder, sql } from 'kysely'
import type { FoundPrice } from '../../../contract/dashboard/catalog-api.ts'
import { priceObject } from '../../catalog/price.ts'
import { findPrices } from '../../catalog/price-queries.ts'
import type { Db } from '../../db/connection.ts'
import { formOf, hasWords } from '../../db/search.ts'
import { isUuid } from '../../lib/ids.ts'
import { type Cents, centsFromDecimal } from '../../lib/money.ts'
import { amountIn } from '../amount-in.ts'

/** An `undefined` field does not filter. */
export interface PriceSearch {
  businessId: string
  /** Words, an amount, or an id. */
  q?: string | undefined
  /** Whether both the price and its product are active. */
  active?: boolean | undefined
  recurring?: boolean | undefined
  limit: number
}

interface FoundRow {
  id: string
  product: FoundPrice['view']['product']
}

/** Finds the prices that have every word in their product's name, nickname, reference or amount. Newest first. */
export async function searchPrices(db: Db, search: PriceSearch): Promise<{ data: FoundPrice[]; hasMore: boolean }> {
  const { businessId, q, active = null, recurring = null, limit } = search
  const { rows } = await sql<FoundRow>`
    select p.id, jsonb_build_object('id', d.id, 'name', d.name, 'active', d.active) as product
    from price p join product d on d.business_id = p.business_id and d.id = p.product_id
    where p.business_id = ${businessId}::uuid and ${matches(businessId, q)}
      and (${active}::boolean is null or (p.active and d.active) = ${active}::boolean)
      and (${recurring}::boolean is null or (p.recurring_interval is not null) = ${recurring}::boolean)
    order by p.created_at desc, p.id desc limit ${limit + 1}`.execute(db)
  const shown = rows.slice(0, limit)
  const ids = shown.map(({ id }) => id)
  const prices = await findPrices(db, businessId, ids)
  const data = shown.flatMap(({ id, product }) => {
    const price = prices.get(id)
    return price ? [{ ...priceObject(price), view: { product } }] : []
  })
  return { data, hasMore: rows.length > limit }
}

function matches(businessId: string, q: string | undefined): RawBuilder<unknown> {
  if (q === undefined) return sql`true`
  if (isUuid(q)) return sql`p.id = ${q}::uuid`
  const words = wordsOf(q).map((word) => sql`p.id in (${pricesWith(businessId, word)})`)
  return sql.join(words, sql` and `)
}

/** Splits a query into words. An amount is one word, because it may have spaces between its thousands. */
const wordsOf = (q: string) => (amountIn(q.trim()) === null ? q.trim().split(/\s+/u) : [q.trim()])

const NAMED = formOf(sql`coalesce(nickname, '') || ' ' || coalesce(metadata ->> 'reference', '')`)

/**
 * Selects prices with a word by one statement for each place where it may be. One statement for all would use no index.
 */
function pricesWith(businessId: string, word: string) {
  const cents = centsOf(word)
  const ofBusiness = sql`select id from price where business_id = ${businessId}::uuid`
  return sql`${ofBusiness} and ${hasWords(NAMED, word)}
    union all ${ofBusiness} and product_id in (
      select id from product where business_id = ${businessId}::uuid and ${hasWords(formOf(sql`name`), word)})
    ${cents === null ? sql`` : sql`union all ${ofBusiness} and unit_amount = ${cents}`}`
}

/** Reads an amount. In a search for prices, a whole number is an amount, too. */
const centsOf = (word: string): Cents | null =>
  amountIn(word) ?? (/^\d{1,6}$/.test(word) ? centsFromDecimal(Number(word)) : null)
