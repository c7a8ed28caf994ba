import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BufferCounter, countBuffers } from '../../test/support/buffers-read.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openDb } from '../../test/support/pool.ts'
import { listSessionPage } from '../checkout/sessions/session-list-queries.ts'
import type { Db } from '../db/connection.ts'
import { newId } from '../lib/ids.ts'
import { findReferencedSessions, indexSessionReferences } from './session-reference-queries.ts'

// 8,000 sessions, one a minute. One in five has the same reference, the others have one of their own. Reading them
// takes hundreds of buffers.
const FEW = 25
const SESSIONS = 8_000
const DAY_MS = 86_400_000

const businessId = newId()
/** Time by which all sessions are over and indexed. */
const later = new Date(Date.now() + 2 * DAY_MS)
let database: TestDatabase
let buffers: BufferCounter
let db: Db
before(async () => {
  database = await createTestDatabase()
  buffers = await countBuffers(database.url)
  db = openDb(database.url)
  await insertSessions(
    `case when n % 5 = 0 then 'web' when n % 7 = 0 then 'ORDER ' || n else 'Order-' || n end`,
    SESSIONS,
  )
  await indexSessionReferences({ db, clock: { now: () => later } })
  await buffers.client.query('vacuum analyze checkout_session, session_reference')
})
after(async () => {
  await Promise.all([db.destroy(), buffers[Symbol.asyncDispose]()])
  await database.drop()
})

const insertSessions = (reference: string, count: number, of = businessId) =>
  buffers.client.query(
    `insert into checkout_session (business_id, id, token_key_id, status, ui_mode, mode, currency, amount_total,
       customer_named_by, search_text, parent_origin, client_reference_id, description, attempt_count, created_at, expires_at)
     select $1, gen_random_uuid(), 'key', 'EXPIRED', 'hosted', 'payment', 'USD', 2500, 'merchant', '', 'https://shop.example',
       ${reference}, case when n % 2 = 0 then '100 % wool' end, 0, at, at + interval '1 day'
     from generate_series(1, $2::integer) n, lateral (select now() - n * interval '1 minute' as at)`,
    [of, count],
  )

async function listed(reference: string, { of = businessId, now = later, on = db } = {}): Promise<(string | null)[]> {
  const referenced = await findReferencedSessions(on, { businessId: of, reference, now })
  const all = { businessId: of, from: null, to: null, customer: null, status: null, startingAt: null, now }
  const { rows } = await listSessionPage(on, { ...all, reference, referenced }, { limit: 50 })
  return rows.map((row) => row.client_reference_id)
}

describe('The list of sessions by reference (DSH-8)', () => {
  test('has those with this reference, to the letter', async () => {
    for (const reference of ['Order-11', 'Order-7998', 'ORDER 14']) deepEqual(await listed(reference), [reference])
    for (const reference of ['order-11', 'Order', 'ORDER', 'Order-11 100', 'Order-1_', 'Order-11%', '\\', '%'])
      deepEqual(await listed(reference), [], reference)
  })

  test('has the newest of those that many have', async () => {
    equal((await listed('web')).join(), Array(50).fill('web').join())
  })

  test('has those that are not indexed yet, and no others', async () => {
    const other = newId()
    await insertSessions(`'Order-' || n`, 3, other)
    deepEqual(await listed('Order-2', { of: other, now: new Date() }), ['Order-2'])
    deepEqual(await listed('Order-11', { of: other, now: new Date() }), [])
  })

  test('is found without reading the others (DSH-22)', async () => {
    const read = (reference: string, without?: string) =>
      buffers.count(async (on) => void (await listed(reference, { on })), without)
    for (const reference of ['Order-11', 'ORDER 14', 'Order-99999']) {
      const few = await read(reference)
      ok(few <= FEW, `${reference}: ${few} buffers`)
      const without = await read(reference, 'session_reference_beginning')
      ok(without > 2 * FEW, `Without its index it reads only ${without} buffers, so this test would not fail`)
    }
  })
})
