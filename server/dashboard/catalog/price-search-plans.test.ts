import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { listMatching } from './catalog-queries.ts'
import { searchPrices } from './price-search-queries.ts'

// 10,000 prices of 5,000 products. A search that reads all of them reads hundreds of buffers.
const PRODUCTS = 5_000
const FEW = 150

const businessId = newId()
const buffers = buffersIn(async (client) => {
  await client.query(
    `with business as (
       insert into business (id, name, currency, country, time_zone, created_at)
       values ($1, 'B', 'USD', 'US', 'UTC', now()) returning id
     )
     insert into product (business_id, id, name, active, metadata, created_at, updated_at)
     select id, gen_random_uuid(), 'Ferry pass ' || md5(n::text), true, '{}', now() - n * interval '1 minute', now()
     from business, generate_series(1, $2::integer) n`,
    [businessId, PRODUCTS],
  )
  // Statistics make the check of each price's foreign key use an index.
  await client.query('analyze product')
  await client.query(
    `insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
       active, nickname, metadata, created_at, updated_at)
     select business_id, gen_random_uuid(), id, 2500, 'USD', 'month', 1, true, 'Zone ' || n || md5(name),
       jsonb_build_object('reference', 'tariff-' || md5(name || n)), created_at, now()
     from product, generate_series(1, 2) n`,
  )
  await client.query('vacuum analyze product, price')
})

/** Part of the first product's name. */
const ONE = 'c4ca4238a0b923820dcc509a6f75849b'.slice(4, 24)
const read = (q: string, expected: number, without?: string) =>
  buffers.count(
    async (db) => equal((await searchPrices(db, { businessId, q, limit: 20 })).data.length, expected),
    without,
  )

describe('A field that chooses a price finds it without reading all that there are (DSH-45)', () => {
  for (const [q, expected, index] of [
    [ONE, 2, 'product_search'],
    ['zebra', 0, 'product_search'],
    ['zebra', 0, 'price_search'],
  ] as const)
    test(`${q}: ${expected}, with ${index}`, async () => {
      const found = await read(q, expected)
      ok(found <= FEW, `${found} buffers`)
      const without = await read(q, expected, index)
      ok(without > found + 30, `Without its index it reads ${without} buffers rather than ${found}`)
    })

  test('nothing is typed: the newest', async () => {
    const found = await buffers.count((db) => searchPrices(db, { businessId, limit: 20 }))
    ok(found <= FEW * 2, `${found} buffers`)
  })

  test('a product, by a part of its name', async () => {
    const products = (without?: string) =>
      buffers.count((db) => listMatching(db, { businessId, q: ONE }, { limit: 20 }), without)
    const found = await products()
    ok(found <= FEW, `${found} buffers`)
    const without = await products('product_search')
    ok(without > found, `Without its index it reads ${without} buffers rather than ${found}`)
  })
})
