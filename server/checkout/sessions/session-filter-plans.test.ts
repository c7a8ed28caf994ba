import { ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buffersIn } from '../../../test/support/buffers-read.ts'
import { newId } from '../../lib/ids.ts'
import { listSessionPage, type SessionFilter } from './session-list-queries.ts'

// Of 6,000 payment sessions, none was canceled and none failed. A filter that has to read them to find that out reads
// hundreds of buffers.
const FEW = 20
const SESSIONS = 6_000

const businessId = newId()
const buffers = buffersIn(async (client) => {
  await client.query(
    `insert into checkout_session (business_id, id, token_key_id, status, ui_mode, mode, currency, amount_total,
       customer_named_by, search_text, parent_origin, attempt_count, created_at, expires_at)
     select $1, gen_random_uuid(), 'key', 'COMPLETED', 'hosted', 'payment', 'USD', 2500, 'merchant', 'payer' || n,
       'https://shop.example', 1, at, at + interval '1 hour'
     from generate_series(1, $2::integer) n, lateral (select now() - n * interval '1 minute' as at)`,
    [businessId, SESSIONS],
  )
  await client.query('vacuum analyze checkout_session')
})

function buffersOf(filter: Partial<SessionFilter>, without?: string): Promise<number> {
  const all = { businessId, from: null, to: null, customer: null, status: null, startingAt: null, now: new Date() }
  return buffers.count(async (db) => {
    const { rows } = await listSessionPage(db, { ...all, ...filter }, { limit: 50 })
    ok(rows.length === 0, JSON.stringify(filter))
  }, without)
}

const NOTHING: [filter: Partial<SessionFilter>, index: string][] = [
  [{ status: 'CANCELLED' }, 'checkout_session_canceled'],
  [{ status: 'FAILED' }, 'checkout_session_failed'],
  [{ mode: 'subscription' }, 'checkout_session_rare_mode'],
]

const DAY_MS = 86_400_000

describe('The list of sessions finds out that nothing matches without reading sessions (DSH-22)', () => {
  for (const [filter, index] of NOTHING)
    test(`${JSON.stringify(filter)}, with ${index}`, async () => {
      const read = await buffersOf(filter)
      ok(read <= FEW, `${read} buffers`)
      const without = await buffersOf(filter, index)
      ok(without > 5 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    })

  test('open ones, of which the last day has none', async () => {
    const read = await buffersOf({ status: 'PENDING', now: new Date(Date.now() + 2 * DAY_MS) })
    ok(read <= FEW, `${read} buffers`)
    ok((await buffersOf({ status: 'EXPIRED' })) > 5 * FEW, 'A status without an index is found by reading')
  })
})
