import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, REQUEST_WAIT_MS } from './connection.ts'
import { isDatabaseAway } from './database-errors.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

function open(options: { url?: string; max?: number; waitMs?: number; onIdleError?: (error: Error) => void } = {}) {
  const { db, pool, close } = connect({ url: database.url, ...options })
  return { db, pool, [Symbol.asyncDispose]: close }
}

describe('A connection', () => {
  const limits = {
    statement_timeout: '5s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
    TimeZone: 'UTC',
  }
  for (const [setting, expected] of Object.entries(limits)) {
    test(`has ${setting} ${expected}`, async () => {
      await using connection = open()
      const { rows } = await connection.pool.query('select current_setting($1) as value', [setting])
      equal(rows[0].value, expected)
    })
  }

  test('gives up a lock that another one keeps, and says so in a way that becomes 503', async () => {
    await using connection = open({ max: 2 })
    const holder = await connection.pool.connect()
    await holder.query('begin; lock table business')
    try {
      await rejects(
        connection.pool.query('select * from business where id = $1', ['019aabcd-0000-7000-8000-000000000000']),
        isDatabaseAway,
      )
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  test('FLT-35: that is not free within the two seconds of a request becomes 503 too', async () => {
    await using connection = open({ max: 1, waitMs: REQUEST_WAIT_MS })
    const holder = await connection.pool.connect()
    try {
      const from = performance.now()
      await rejects(connection.pool.query('select 1'), isDatabaseAway)
      ok(performance.now() - from < 4_000)
    } finally {
      holder.release()
    }
  })

  test('that is lost while idle ends nothing: the next query has a new one', async () => {
    const lost: Error[] = []
    await using connection = open({ url: database.directUrl, max: 1, onIdleError: (error) => lost.push(error) })
    const { rows } = await connection.pool.query('select pg_backend_pid() as pid')
    await terminate(rows[0].pid)
    for (let waited = 0; lost.length === 0 && waited < 5_000; waited += 20) await sleep(20)
    match(String(lost[0]), /terminat/)
    equal('client' in (lost[0] ?? {}), false)
    equal((await connection.pool.query('select 1 as one')).rows[0].one, 1)
  })

  test('that the server ends while the pool is closing is not reported', async () => {
    const lost: Error[] = []
    const { pool, close } = connect({ url: database.url, onIdleError: (error) => lost.push(error) })
    const closing = close()
    pool.emit('error', new Error('terminating connection'), {} as pg.PoolClient)
    await closing
    deepEqual(lost, [])
  })

  test('that is lost in the middle of a query says so in a way that becomes 503', async () => {
    await using connection = open({ url: database.directUrl, max: 1 })
    const { rows } = await connection.pool.query('select pg_backend_pid() as pid')
    const slow = connection.pool.query('select pg_sleep($1)', [4])
    await Promise.all([rejects(slow, isDatabaseAway), sleep(100).then(() => terminate(rows[0].pid))])
  })

  test('reads counters as numbers and days as text', async () => {
    await using connection = open()
    const { rows } = await connection.pool.query(`select 99999999::bigint as amount, date '2028-02-29' as day`)
    deepEqual(rows, [{ amount: 99_999_999, day: '2028-02-29' }])
  })

  test('prepares a statement once, whatever its values', async () => {
    await using connection = open({ max: 1 })
    for (const id of [1, 2, 3]) await sql`select ${id}::int as number`.execute(connection.db)
    const { rows } = await connection.pool.query('select statement from pg_prepared_statements')
    deepEqual(rows, [{ statement: 'select $1::int as number' }])
  })
})

async function terminate(pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.directUrl })
  await client.connect()
  await client.query('select pg_terminate_backend($1)', [pid])
  await client.end()
}
