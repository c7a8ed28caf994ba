import { ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { priceIdsOf } from '../../catalog/price-queries.ts'
import { newId } from '../../lib/ids.ts'
import type { Day } from '../../subscriptions/plan/calendar.ts'
import { countFiltered, listFiltered, type SubscriptionFilters } from './subscription-list-queries.ts'

// 20,000 monthly subscriptions, each of one of two prices. A filter that reads all of them to find its matches reads
// hundreds of buffers.
const FEW = 20
const SUBSCRIPTIONS = 20_000
/** One subscription in so many has the rare price. */
const RARE = 2_000

const businessId = newId()
const [usual, rare, unused] = [newId(), newId(), newId()]
const [product, productOfRare, productOfUnused] = [newId(), newId(), newId()]
const buffers = buffersIn(async (client) => {
  await client.query(
    `with business as (
       insert into business (id, name, currency, country, time_zone, created_at)
       values ($1, 'B', 'USD', 'US', 'UTC', now()) returning id
     ), product as (
       insert into product (business_id, id, name, active, metadata, created_at, updated_at)
       select id, product, 'Plan', true, '{}', now(), now() from business, unnest($2::uuid[]) product
       returning business_id, id
     )
     insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
       active, metadata, created_at, updated_at)
     select business_id, price, product, 2500, 'USD', 'month', 1, true, '{}', now(), now()
     from unnest($2::uuid[], $3::uuid[]) as made(product, price) join product on product.id = made.product`,
    [businessId, [product, productOfRare, productOfUnused], [usual, rare, unused]],
  )
  await client.query(
    `with made as (
       insert into subscription (business_id, id, customer_id, status, currency, time_zone, items, interval_unit,
         interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), 'active', 'USD', 'UTC', jsonb_build_array(jsonb_build_object(
           'id', gen_random_uuid(), 'price', case when n % $2::integer = 0 then $4::uuid else $3::uuid end, 'quantity', 1)),
         'month', 1, 2500, 1, 0, 0, 2500, current_date, current_date, now() - n * interval '1 minute'
       from generate_series(1, $5::integer) n returning *
     )
     insert into subscription_price (business_id, price_id, created_at, subscription_id)
     select business_id, (items -> 0 ->> 'price')::uuid, created_at, id from made`,
    [businessId, RARE, usual, rare, SUBSCRIPTIONS],
  )
  await client.query('vacuum analyze subscription, subscription_price, price')
})

function buffersOf(filters: SubscriptionFilters, expected: number, without?: string): Promise<number> {
  return buffers.count(async (db) => {
    const pricesOfProduct = filters.product === undefined ? [] : await priceIdsOf(db, businessId, filters.product)
    const which = { businessId, filters, passed: [], today: '2026-03-01' as Day, pricesOfProduct }
    const { rows } = await listFiltered(db, which, { limit: 50 })
    ok(rows.length === Math.min(expected, 50), JSON.stringify(filters))
    const counted = Number(await countFiltered(db, which))
    ok(counted === Math.min(expected, 10_001), `${counted}`)
  }, without)
}

describe('The list of subscriptions finds those that few have without reading the others (DSH-22)', () => {
  const NOTHING: [filters: SubscriptionFilters, index: string][] = [
    [{ price: unused }, 'subscription_price_pkey'],
    [{ product: productOfUnused }, 'subscription_price_pkey'],
    [{ frequency: 'Weekly' }, 'subscription_rare_frequency'],
    [{ frequency: 'Quarterly', tab: 'active' }, 'subscription_rare_frequency'],
  ]
  for (const [filters, index] of NOTHING)
    test(`${Object.keys(filters)}: nothing, with ${index}`, async () => {
      const read = await buffersOf(filters, 0)
      ok(read <= FEW, `${read} buffers`)
      const without = await buffersOf(filters, 0, index)
      ok(without > 5 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    })

  test('those of a price are counted in its table alone', async () => {
    const which = { businessId, filters: { price: usual }, passed: [], today: '2026-03-01' as Day, pricesOfProduct: [] }
    const read = await buffers.count(async (db) => ok(Number(await countFiltered(db, which)) === 10_001))
    ok(read <= 8 * FEW, `${read} buffers`)
  })

  // Each subscription that is found is read together with what is loaded with it.
  const OF_RARE = SUBSCRIPTIONS / RARE
  for (const filters of [{ price: rare }, { product: productOfRare }])
    test(`${Object.keys(filters)}: a few`, async () => {
      const read = await buffersOf(filters, OF_RARE)
      ok(read <= FEW + 40 * OF_RARE, `${read} buffers`)
    })
})
