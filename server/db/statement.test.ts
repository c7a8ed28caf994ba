import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from './connection.ts'
import { isDatabaseAway } from './database-errors.ts'
import { rowsStatement, runRows } from './rows-statement.ts'
import { run, statement } from './statement.ts'
import { transaction } from './transaction.ts'

let created: TestDatabase
let database: Database
before(async () => {
  created = await createTestDatabase()
  database = connect({ url: created.url, max: 1 })
})
after(async () => {
  await database.close()
  await created.drop()
})

const SUM = statement('sum', (p) => `select ${p.a}::int + ${p.b}::int + ${p.a}::int as sum`)
const ROWS = statement('rows', () => 'select key from rate_limit order by key')
const INSERT = statement('insert', (p) => `insert into rate_limit (key) values (${p.key})`)
const SLOW = statement('slow', (p) => `select pg_sleep(${p.seconds}::float8)`)

describe('A statement', () => {
  test('has a number for each parameter, however often it stands there', () => {
    deepEqual(SUM.parameters, ['a', 'b'])
    equal(SUM.text, 'select $1::int + $2::int + $1::int as sum')
  })

  test('gives rows for an object of values', async () => {
    deepEqual(await run(database.db, SUM, { b: 1, a: 20, more: 'is left out' }), [{ sum: 41 }])
  })

  test('is prepared once under its name, and shares the connection with what Kysely runs', async () => {
    const { db, pool, close } = connect({ url: created.directUrl, max: 1 })
    for (const a of [1, 2]) await run(db, SUM, { a, b: 0 })
    const { rows } = await pool.query("select statement from pg_prepared_statements where name = 'sum'")
    await close()
    deepEqual(rows, [{ statement: SUM.text }])
  })

  test('reads values as the rest of the service does: counters as numbers, times as dates', async () => {
    const at = new Date('2026-11-22T10:00:00.123Z')
    const TYPES = statement(
      'types',
      (p) => `select ${p.at}::timestamptz as at, 5::bigint as n, ${p.bytes}::bytea as bytes`,
    )
    deepEqual(await run(database.db, TYPES, { at, bytes: Buffer.from('x') }), [{ at, n: 5, bytes: Buffer.from('x') }])
  })

  test('is not run without one of its values', async () => {
    await rejects(run(database.db, SUM, { a: 1 }), /sum was given no b/)
  })

  test('belongs to the transaction that it is run in', async () => {
    const failing = transaction(database.db, async (tx) => {
      await run(tx, INSERT, { key: 'in a transaction' })
      equal((await run(tx, ROWS, {})).length, 1)
      throw new Error('rolled back')
    })
    await rejects(failing, /rolled back/)
    deepEqual(await run(database.db, ROWS, {}), [])
  })

  test('fails with the error of the database, and the connection is lent again', async () => {
    await rejects(run(database.db, SUM, { a: 'x', b: 1 }), { code: '22P02' })
    deepEqual(await run(database.db, SUM, { a: 1, b: 1 }), [{ sum: 3 }])
  })

  test('that loses its connection says so in a way that becomes 503, and the next one has a new connection', async () => {
    const { rows } = await database.pool.query('select pg_backend_pid() as pid')
    const slow = run(database.db, SLOW, { seconds: 4 })
    const other = new pg.Client({ connectionString: created.url })
    await other.connect()
    await Promise.all([rejects(slow, isDatabaseAway), other.query('select pg_terminate_backend($1)', [rows[0].pid])])
    await other.end()
    deepEqual(await run(database.db, SUM, { a: 1, b: 1 }), [{ sum: 3 }])
  })

  test('that finds no free connection within two seconds becomes 503 too', async () => {
    const holder = await database.pool.connect()
    await rejects(run(database.db, SUM, { a: 1, b: 1 }), isDatabaseAway)
    holder.release()
  })
})

const LISTED = rowsStatement(
  'listed',
  (p) => `listed as (
      select ${p.n}::integer as n, ${p.at}::timestamptz as at, ${p.text}::text as text, ${p.bytes}::bytea as bytes,
        ${p.businessId}::text as business, ${p.is}::boolean as is from given as source
    ) select * from listed order by n`,
)

describe('A statement for rows', () => {
  test('reads each parameter as a column, and the business as one parameter', async () => {
    equal(LISTED.parameters.length, LISTED.columns.length + 1)
    const at = new Date('2026-11-22T10:00:00.123Z')
    const rows = [
      { n: 1, at, text: 'a "quoted", {text} \\ NULL', bytes: Buffer.from([0, 92, 255]), is: true },
      { n: 2, at: null, text: null, bytes: null, is: false },
    ]
    deepEqual(
      await runRows(
        database.db,
        LISTED,
        rows.map((row) => ({ ...row, businessId: 'b', more: 'is left out' })),
      ),
      rows.map((row) => ({ ...row, business: 'b' })),
    )
  })

  test('is not run without a value of each row', async () => {
    const row = { businessId: 'b', n: 1, at: null, text: null, bytes: null }
    await rejects(async () => runRows(database.db, LISTED, [row]), /listed was given no is/)
  })
})
