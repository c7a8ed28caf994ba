import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { boundedRead } from '../db/bounded-read.ts'
import { connect, type Database, type Db } from '../db/connection.ts'
import { readList } from './read-list.ts'

let database: TestDatabase
let service: Database
before(async () => {
  database = await createTestDatabase()
  // All reads share a single connection.
  service = connect({ url: database.url, max: 1 })
})
after(async () => {
  await service.close()
  await database.drop()
})

async function settingsOf(db: Db) {
  const { rows } = await sql<Record<string, string>>`select current_setting('plan_cache_mode') as plans,
    current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as timeout`.execute(db)
  return rows[0]
}

const USUAL = { plans: 'force_generic_plan', read_only: 'off', timeout: '5s' }

describe('A bounded read', () => {
  test('plans for its values, writes nothing, ends in time, and leaves its connection as it was', async () => {
    const bounded = { plans: 'force_custom_plan', read_only: 'on', timeout: '2s' }
    deepEqual(await boundedRead(service.db, settingsOf), bounded)
    deepEqual(await settingsOf(service.db), USUAL)
  })

  test('that takes too long is refused, and its connection is used again', async () => {
    const slow = boundedRead(service.db, (reading) => sql`select pg_sleep(2)`.execute(reading), { statementMs: 50 })
    await rejects(slow, { code: 'unavailable' })
    deepEqual(await settingsOf(service.db), USUAL)
  })

  test('that cannot begin leaves no transaction open', async () => {
    await rejects(boundedRead(service.db, settingsOf, { statementMs: -1 }), /outside the valid range/)
    deepEqual(await settingsOf(service.db), USUAL)
  })

  test('that fails leaves its connection as it was', async () => {
    await rejects(
      boundedRead(service.db, () => Promise.reject(new Error('mine'))),
      /^Error: mine$/,
    )
    deepEqual(await settingsOf(service.db), USUAL)
  })
})

describe('A list', () => {
  const page = { limit: 2 }
  const parts = {
    filter: () => 'filter',
    select: async (_reading: Db, filter: string) => ({ rows: [`${filter} 1`, `${filter} 2`], hasMore: true }),
    count: async () => 7,
  }

  test('reads its rows with the plan that all share, and needs one connection at a time', async () => {
    const rows = (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => [id, await settingsOf(service.db)] as const))
    const { filter, page: read, counted } = await readList(service.db, page, { ...parts, rows })
    deepEqual([filter, counted, read.hasMore], ['filter', 7, true])
    deepEqual(read.rows, [
      ['filter 1', USUAL],
      ['filter 2', USUAL],
    ])
  })

  test('is refused once when its rows and its count fail', async () => {
    const fail = (message: string) => () => Promise.reject(new Error(message))
    const failing = readList(service.db, page, { ...parts, count: fail('count'), rows: fail('rows') })
    await rejects(failing, /^Error: count$/)
    await rejects(readList(service.db, page, { ...parts, rows: fail('rows') }), /^Error: rows$/)
  })

  test('is not counted when its first page has all', async () => {
    const all = { ...parts, select: async () => ({ rows: ['1'], hasMore: false }), rows: async () => ['one'] }
    equal((await readList(service.db, page, all)).counted, 1)
  })
})
