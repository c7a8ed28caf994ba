import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { findByText } from '../search/search-queries.ts'
import { selectCustomers } from './customers-queries.ts'

// 20,000 customers. Reading all of them takes hundreds of buffers.
const CUSTOMERS = 20_000
const PORTION = 10_000
const FEW = 150

const businessId = newId()
const buffers = buffersIn(async (client) => {
  await client.query(
    `insert into business (id, name, currency, country, time_zone, created_at)
     values ($1, 'B', 'USD', 'US', 'UTC', now())`,
    [businessId],
  )
  for (let first = 1; first <= CUSTOMERS; first += PORTION)
    await client.query(
      `insert into customer (business_id, id, name, email, email_folded, created_at, updated_at)
       select $1, uuidv7(), case n when 14_001 then 'Zoë Müller-O’Brien' when 14_002 then '王伟' when 14_003 then 'Xu'
           else 'Müller Ana ' || md5(n::text) end,
         'payer' || n || '@example.com', 'payer' || n || '@example.com', now() - n * interval '1 second', now()
       from generate_series($2::integer, $2::integer + $3::integer - 1) n`,
      [businessId, first, PORTION],
    )
  await client.query('vacuum analyze customer')
})

const CASES: readonly (readonly [text: string, found: number])[] = [
  ['obrien zoe muller', 1],
  ['MÜLLER Zoë', 1],
  ['王伟', 1],
  ['王', 1],
  ['payer4711@example', 1],
  ['muller ana payer19999', 1],
  ['zebra crossing muller', 0],
  ['muller ana', 5],
]

describe('Of many customers a search finds the few, without reading the others (DSH-175)', () => {
  const search = (text: string, found: number, without?: string) =>
    buffers.count(async (db) => {
      equal((await findByText(db, businessId, 'customer', text)).length, found)
    }, without)
  const list = (text: string, found: number, without?: string) =>
    buffers.count(async (db) => {
      equal((await selectCustomers(db, { businessId, search: text }, { limit: 5 })).rows.length, found)
    }, without)

  for (const [text, found] of [...CASES, ['xu', 1]] as const)
    test(`the search, for ${text}`, async () => {
      const read = await search(text, found)
      ok(read <= FEW, `${read} buffers`)
    })
  for (const [text, found] of CASES)
    test(`the list, for ${text}`, async () => {
      const read = await list(text, found)
      ok(read <= FEW, `${read} buffers`)
    })

  test('with the index', async () => {
    for (const read of [search, list]) {
      const without = await read('obrien zoe muller', 1, 'customer_search')
      ok(without > 2 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    }
  })
})
