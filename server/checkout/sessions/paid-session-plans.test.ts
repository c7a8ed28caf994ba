import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import type { Db } from '../../db/connection.ts'
import { newId } from '../../lib/ids.ts'
import { listSessionPage, type SessionFilter, withPaidBy } from './session-list-queries.ts'

// There are 6,000 sessions for which the merchant gave an e-mail address, each paid by a customer who typed a name.
// The customer of the last one has a unique name; all others are called Many.
const FEW = 60
const SESSIONS = 6_000

const businessId = newId()
const buffers = buffersIn(async (client) => {
  for (const statement of INSERTS)
    await client.query(statement, [businessId, ...(/\$2/.test(statement) ? [SESSIONS] : [])])
  await client.query('vacuum analyze checkout_session, customer, operation, payment')
})

const ID = (kind: string) => `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
const INSERTS = [
  `insert into business (id, name, currency, country, time_zone, created_at)
    values ($1, 'B', 'USD', 'US', 'UTC', now())`,
  `insert into terminal (business_id, id, currency, gateway, merchant_code, created_at)
    values ($1, $1, 'USD', 'simulator', 'USD', now())`,
  `insert into customer (business_id, id, name, created_at, updated_at)
    select $1, ${ID('1')}, case n when 1 then 'Quill ' else 'Many ' end || n, now(), now()
    from generate_series(1, $2::integer) n`,
  `insert into checkout_session (business_id, id, token_key_id, status, ui_mode, mode, currency, amount_total,
      customer_named_by, customer_email, search_text, parent_origin, attempt_count, payer_customer_id, created_at,
      expires_at)
    select $1, ${ID('2')}, 'key', 'COMPLETED', 'hosted', 'payment', 'USD', 2500, 'merchant', 'p' || n,  'p' || n || ' ',
      'https://shop.example', 1, ${ID('1')}, at, at + interval '1 hour'
    from generate_series(1, $2::integer) n, lateral (select now() - (${SESSIONS} - n) * interval '1 minute' as at)`,
  `insert into operation (business_id, id, kind, state, lost, owner_kind, owner_id, merchant_ref, terminal_id, amount,
      currency, counts_as_attempt, sent_at, deadline_at, finalized_at)
    select $1, ${ID('3')}, 'sale', 'APPROVED', false, 'session', ${ID('2')}, 'R' || n, $1, 2500, 'USD', true, now(), now(),
      now()
    from generate_series(1, $2::integer) n`,
  `insert into payment (business_id, id, operation_id, session_id, customer_id, status, amount, currency, code, message,
      receipt_id, issuer_reference, card_brand, card_first6, card_last4, source, terminal_id, created_at)
    select $1, ${ID('4')}, ${ID('3')}, ${ID('2')}, ${ID('1')}, 'succeeded', 2500, 'USD', 'AA', 'Approved', 'R' || n, '1',
      'visa', '424242', '4242', 'form', $1, now()
    from generate_series(1, $2::integer) n`,
]

async function listed(db: Db, customer: string): Promise<string[]> {
  const all = { businessId, from: null, to: null, status: null, startingAt: null, now: new Date() }
  const filter: SessionFilter = await withPaidBy(db, { ...all, customer })
  const { rows } = await listSessionPage(db, filter, { limit: 50 })
  return rows.map(({ customer_name: name }) => String(name))
}

async function counted(customer: string, without?: string) {
  let found: string[] = []
  const read = await buffers.count(async (db) => {
    found = await listed(db, customer)
  }, without)
  return { found, read }
}

describe('The sessions that a customer of a name paid (CHK-36)', () => {
  for (const index of ['customer_search', 'payment_of_customer'])
    test(`are found with ${index}, without reading the others`, async () => {
      const { found, read } = await counted('quill')
      deepEqual(found, ['Quill 1'])
      ok(read <= FEW, `${read} buffers`)
      const { read: without } = await counted('quill', index)
      ok(without > 2 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    })

  test('are none where nobody has the name', async () => {
    const { found, read } = await counted('nobody')
    deepEqual(found, [])
    ok(read <= FEW, `${read} buffers`)
  })

  test('are the newest where many have it', async () => {
    const { found } = await counted('many')
    deepEqual([found.length, found[0]], [50, `Many ${SESSIONS}`])
    equal(found.at(-1), `Many ${SESSIONS - 49}`)
  })
})
