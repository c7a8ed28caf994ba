import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { DatabaseNotMigrated, migrate, pendingMigrations, readMigrations, requireMigrated } from './migrate.ts'

const ALL = readMigrations().map(({ name }) => name)

async function openEmpty() {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  await pool.query('drop schema public cascade; create schema public')
  return {
    url: database.url,
    pool,
    tables: async () =>
      (await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)).rows.map(
        ({ tablename }) => tablename as string,
      ),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}

describe('Migrations', () => {
  test('have each number once, from 1 without a gap, and a name', () => {
    deepEqual(
      readMigrations().map(({ number }) => number),
      ALL.map((_, index) => index + 1),
    )
    equal(new Set(ALL).size, ALL.length)
    for (const name of ALL) match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('are missed by a command that needs its tables, in words for a person', async () => {
    await using empty = await openEmpty()
    await rejects(requireMigrated(empty.pool), DatabaseNotMigrated)
    await migrate(empty.url)
    await requireMigrated(empty.pool)
    await empty.pool.query('delete from schema_migration where number = $1', [ALL.length])
    await rejects(requireMigrated(empty.pool), /npm run migrate/)
  })

  test('are all applied to an empty database, and a second run applies none', async () => {
    await using empty = await openEmpty()
    const log: string[] = []

    deepEqual(await migrate(empty.url, (text) => log.push(text)), ALL)
    equal(log.length, ALL.length)
    equal(await pendingMigrations(empty.pool), 0)

    deepEqual(await migrate(empty.url), [])
  })

  test('are applied once when four processes start together', async () => {
    await using empty = await openEmpty()

    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.url)))

    deepEqual(applied.flat(), ALL)
    const { rows } = await empty.pool.query('select number from schema_migration order by number')
    equal(rows.length, ALL.length)
  })

  test('leave nothing behind when one fails, say which, and can be tried again', async () => {
    await using empty = await openEmpty()
    // The last table of the first migration is in the way, so that nearly all of it has run when it fails.
    await empty.pool.query('create table event (in_the_way integer)')

    await rejects(migrate(empty.url), (error: Error) => {
      match(error.message, /^Migration 1 foundation failed and left nothing behind$/)
      equal((error.cause as { code: string }).code, '42P07')
      return true
    })
    deepEqual(await empty.tables(), ['event', 'schema_migration'])
    equal(await pendingMigrations(empty.pool), ALL.length)

    await empty.pool.query('drop table event')
    deepEqual(await migrate(empty.url), ALL)
  })

  test('let go of their lock when they are done', async () => {
    await using empty = await openEmpty()
    await migrate(empty.url)
    const { rows } = await empty.pool.query(`select count(*)::int as held from pg_locks where locktype = 'advisory'`)
    equal(rows[0].held, 0)
  })
})
