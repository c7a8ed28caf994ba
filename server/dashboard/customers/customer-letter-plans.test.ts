import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { listLettersFor } from './customer-letter-queries.ts'

// 12,000 letters. A list that reads all of them to find those of one customer reads hundreds of buffers.
const LETTERS = 12_000
/** One letter in so many is the customer's; half of these are found by the address alone. */
const RARE = 600
const FEW = 150

const businessId = newId()
const customerId = newId()
const email = 'ana@example.com'
const buffers = buffersIn(async (client) => {
  await client.query(
    `insert into business (id, name, currency, country, time_zone, created_at)
     values ($1, 'B', 'USD', 'US', 'UTC', now())`,
    [businessId],
  )
  await client.query(
    `insert into letter (business_id, id, notification_id, kind, audience, recipient, sender_name, subject, locale,
       html, body_text, status, created_at, finished_at, customer_id)
     select $1, gen_random_uuid(), gen_random_uuid(), 'payment_succeeded', 'customer',
       case when n % $2::integer = 0 then $3 else n || '@example.com' end, 'B', 'You paid', 'en', '<p>You paid</p>',
       'You paid', 'kept', now(), now(),
       case when n % (2 * $2::integer) = 0 then $4::uuid when n % $2::integer > 0 then gen_random_uuid() end
     from generate_series(1, $5::integer) n`,
    [businessId, RARE, email, customerId, LETTERS],
  )
  await client.query('vacuum analyze letter')
})

describe('The letters of a customer are found without reading those of others (LTR-25)', () => {
  for (const index of ['letter_of_customer', 'letter_to_customer'])
    test(`with ${index}`, async () => {
      const read = (without?: string) =>
        buffers.count(async (db) => {
          const { rows } = await listLettersFor(db, { businessId, customerId, email }, { limit: 50 })
          equal(rows.length, LETTERS / RARE)
        }, without)
      const found = await read()
      ok(found <= FEW, `${found} buffers`)
      const without = await read(index)
      ok(without > found + FEW, `Without its index it reads ${without} buffers rather than ${found}`)
    })
})
