import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startTransactionPooler, type TransactionPooler } from './transaction-pooler.ts'

let database: TestDatabase
let pooler: TransactionPooler
before(async () => {
  database = await createTestDatabase()
  pooler = await startTransactionPooler({ serverUrl: database.directUrl })
})
after(async () => {
  await pooler.close()
  await database.drop()
})

async function open(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: pooler.route(database.directUrl) })
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) })
}

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid

describe('The test pooler', () => {
  test('gives clients any server connection between transactions, and one within', async () => {
    await using one = await open()
    await using two = await open()
    await using third = await open()
    await Promise.all([one, two, third].map((client) => client.query('select pg_sleep(0.1)')))
    const between = new Set<number>()
    for (let round = 0; round < 6; round++) {
      between.add(await pidOf(one))
      await pidOf(two)
    }
    ok(between.size > 1)
    await one.query('begin')
    const first = await pidOf(one)
    for (let round = 0; round < 6; round++) {
      equal(await pidOf(one), first)
      ok((await pidOf(two)) !== first)
    }
    await one.query('commit')
  })

  test('serves twenty clients over three server connections', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, open))
    const results = await Promise.all(clients.map((client, index) => client.query('select $1::int as is', [index])))
    deepEqual(
      results.map(({ rows }) => rows[0].is),
      clients.map((_, index) => index),
    )
    await using client = await open()
    const { rows } = await client.query(
      `select count(*)::int as open from pg_stat_activity where datname = current_database() and application_name = 'test pooler'`,
    )
    ok(rows[0].open <= 3, rows[0].open)
    await Promise.all(clients.map((client) => client.end()))
  })

  test('prepares a named statement wherever it is run, under one name for all clients', async () => {
    await using one = await open()
    await using two = await open()
    for (let round = 0; round < 10; round++) {
      equal((await one.query({ name: 's0', text: 'select $1::int + 1 as n', values: [round] })).rows[0].n, round + 1)
      equal((await two.query({ name: 's0', text: 'select $1::int + 2 as n', values: [round] })).rows[0].n, round + 2)
      equal((await two.query({ name: 's9', text: 'select $1::int + 1 as n', values: [round] })).rows[0].n, round + 1)
    }
  })

  test('passes the error of a statement on, and the client goes on', async () => {
    await using client = await open()
    for (let round = 0; round < 4; round++) {
      await rejects(client.query({ name: 'div', text: 'select 1 / $1::int as n', values: [0] }), { code: '22012' })
      await rejects(client.query({ name: 'bad', text: 'select nothing where $1', values: [true] }), { code: '42703' })
      equal((await client.query({ name: 'div', text: 'select 1 / $1::int as n', values: [1] })).rows[0].n, 1)
    }
  })

  test('gives nobody a transaction whose client has gone', async () => {
    const gone = await open()
    await gone.query('begin')
    await gone.query('create table left_behind (id int)')
    await gone.end()
    await using client = await open()
    for (let round = 0; round < 5; round++) {
      const { rows } = await client.query(
        `select to_regclass('left_behind') as name, now() = statement_timestamp() as own`,
      )
      deepEqual(rows, [{ name: null, own: true }])
    }
  })

  const refused = [
    'listen news',
    'set statement_timeout = 1',
    'select pg_advisory_lock(1)',
    'create temp table mine (id int)',
    'prepare p as select 1',
    'begin; reset all',
  ]
  for (const text of refused) {
    test(`refuses ${text}`, async () => {
      await using client = await open()
      await rejects(client.query(text), { code: '0A000' })
      match(pooler.violations.at(-1) ?? '', new RegExp(text.slice(0, 6)))
    })
  }

  test('refuses settings that a client sends as it connects', async () => {
    const client = new pg.Client({ connectionString: pooler.route(database.directUrl), options: '-c lock_timeout=1' })
    await rejects(client.connect(), /unsupported startup parameter: options/)
  })

  test('lets pass what a transaction keeps to itself', async () => {
    await using client = await open()
    const before = pooler.violations.length
    await client.query(`begin; set local lock_timeout = '1s'; select pg_advisory_xact_lock(1); commit`)
    equal(pooler.violations.length, before)
  })

  test('tells a client that there is no such database', async () => {
    const url = new URL(pooler.route(database.directUrl))
    url.pathname = 'nowhere'
    const client = new pg.Client({ connectionString: url.href })
    await rejects(client.connect(), { code: '3D000' })
  })
})
