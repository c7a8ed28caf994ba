import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { findByText, findSubscriptionsByText } from './search-queries.ts'

// 8,000 subscriptions and contracts. A search that reads all of them reads hundreds of buffers.
const ROWS = 8_000
const FEW = 60

const businessId = newId()
const buffers = buffersIn(async (client) => {
  await client.query(
    `with business as (
       insert into business (id, name, currency, country, time_zone, created_at)
       values ($1, 'B', 'USD', 'US', 'UTC', now()) returning id
     ), product as (
       insert into product (business_id, id, name, active, metadata, created_at, updated_at)
       select id, gen_random_uuid(), 'Ferry pass', true, '{}', now(), now() from business returning business_id, id
     ), price as (
       insert into price (business_id, id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count,
         active, metadata, created_at, updated_at)
       select business_id, gen_random_uuid(), id, 2500, 'USD', 'month', 1, true, '{}', now(), now() from product
       returning id
     ), made as (
       insert into subscription (business_id, id, customer_id, status, currency, time_zone, items, interval_unit,
         interval_count, unit_amount, quantity, tax_amount, surcharge_amount, amount, start_date, anchor_date, metadata, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), 'active', 'USD', 'UTC', jsonb_build_array(jsonb_build_object(
           'id', gen_random_uuid(), 'price', price.id, 'quantity', 1)),
         'month', 1, 2500, 1, 0, 0, 2500, current_date, current_date,
         jsonb_build_object('reference', 'Order-' || md5(n::text)), now() - n * interval '1 minute'
       from price, generate_series(1, $2::integer) n returning *
     )
     insert into subscription_price (business_id, price_id, created_at, subscription_id)
     select business_id, (items -> 0 ->> 'price')::uuid, created_at, id from made`,
    [businessId, ROWS],
  )
  await client.query(
    `with customer as (
       insert into customer (business_id, id, name, created_at, updated_at)
       values ($1, gen_random_uuid(), 'C', now(), now()) returning id
     )
     insert into contract (business_id, id, customer_id, status, title, body, signed_name, signed_at, signed_ip, created_at)
     select $1, gen_random_uuid(), customer.id, 'signed', 'Lease of berth', 'text', 'Ana ' || md5(n::text), now(), '::1', now()
     from customer, generate_series(1, $2::integer) n`,
    [businessId, ROWS],
  )
  await client.query('vacuum analyze subscription, subscription_price, subscription_reference, contract')
})

const read = (find: typeof findSubscriptionsByText, text: string, expected: number, without?: string) =>
  buffers.count(async (db) => equal((await find(db, businessId, text)).length, expected), without)
const contracts: typeof findSubscriptionsByText = (db, id, text) => findByText(db, id, 'contract', text)
/** Text that only the first row has. */
const ONE = 'c4ca4238a0b923820dcc509a6f75849b'

describe('The search finds by text without reading all that there is', () => {
  const CASES: [name: string, find: typeof findSubscriptionsByText, index: string][] = [
    ['subscriptions', findSubscriptionsByText, 'subscription_reference_search'],
    ['contracts', contracts, 'contract_search'],
  ]
  for (const [name, find, index] of CASES) {
    test(`${name} that one has, and that nothing has`, async () => {
      for (const [text, expected] of [
        [ONE.slice(4, 24), 1],
        ['zebra crossing', 0],
      ] as const) {
        const found = await read(find, text, expected)
        ok(found <= FEW * 3, `${found} buffers`)
        const without = await read(find, text, expected, index)
        ok(without > 1.5 * found, `Without its index it reads ${without} buffers rather than ${found}`)
      }
    })
  }

  test('what all of them have is found in the newest', async () => {
    for (const [find, text] of [
      [findSubscriptionsByText, 'ferry'],
      [findSubscriptionsByText, 'order'],
      [contracts, 'lease'],
    ] as const) {
      const found = await read(find, text, 5)
      ok(found <= FEW * 5, `${text}: ${found} buffers`)
    }
  })

  test('a reference that is changed is found as it is now, and one that is taken away is not', async () => {
    const { client } = buffers
    await client.query('begin')
    try {
      const change = (metadata: object) =>
        client.query(`update subscription set metadata = $2::jsonb where metadata ->> 'reference' = $1`, [
          `Order-${ONE}`,
          JSON.stringify(metadata),
        ])
      const references = async (text: string) =>
        (await client.query('select 1 from subscription_reference where reference = $1', [text])).rowCount
      equal(await references(`order-${ONE}`), 1)
      await change({ reference: 'Lot 9' })
      equal(await references(`order-${ONE}`), 0)
      equal(await references('lot 9'), 1)
      await client.query(`update subscription set metadata = '{}' where metadata ->> 'reference' = 'Lot 9'`)
      equal(await references('lot 9'), 0)
    } finally {
      await client.query('rollback')
    }
  })
})
