import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { openEmptyDatabase } from '../../test/support/empty-database.ts'
import { openPool } from '../../test/support/pool.ts'
import { startTransactionPooler } from '../../test/support/transaction-pooler.ts'
import {
  DatabaseNotMigrated,
  MigrationBlocked,
  migrate,
  OtherSchema,
  pendingMigrations,
  readMigrations,
  requireMigrated,
} from './migrate.ts'
import { wrongSettings } from './role-settings.ts'

const ALL = readMigrations().map(({ name }) => name)

describe('Migrations', () => {
  test('have each number once, from 1 without a gap, and a name', () => {
    deepEqual(
      readMigrations().map(({ number }) => number),
      ALL.map((_, index) => index + 1),
    )
    equal(new Set(ALL).size, ALL.length)
    for (const name of ALL) match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('are all applied to an empty database, a second run applies none, and they let go of their lock', async () => {
    await using empty = await openEmptyDatabase()
    const log: string[] = []
    await rejects(requireMigrated(empty.pool), DatabaseNotMigrated, 'missed by a command that needs its tables')

    deepEqual(await migrate(empty.url, (text) => log.push(text)), ALL)
    equal(log.length, ALL.length)
    equal(await pendingMigrations(empty.pool), 0)
    equal(await countAdvisoryLocks(empty.pool), 0)
    await using fresh = disposablePool(empty.url)
    deepEqual(await wrongSettings(fresh.pool), [])
    await requireMigrated(fresh.pool)

    deepEqual(await migrate(empty.url), [])
    equal(await countAdvisoryLocks(empty.pool), 0)
  })

  test('give the role its settings, for connections that open later, and commands refuse to run without', async () => {
    await using migrated = await createTestDatabase()
    const url = migrated.directUrl
    await using old = disposablePool(url)
    const { rows } = await old.pool.query('select current_database() as name')
    await old.pool.query(`alter role current_user in database ${rows[0].name} reset all`)
    deepEqual(await migrate(url), [])
    await using fresh = disposablePool(url)
    deepEqual(await wrongSettings(fresh.pool), [])
    await requireMigrated(fresh.pool)

    await old.pool.query(`alter role current_user in database ${rows[0].name} set lock_timeout = 0`)
    await using later = disposablePool(url)
    await rejects(requireMigrated(later.pool), /lack the settings of their role: lock_timeout is 0, not 2000/)
    await migrate(url)
    await requireMigrated(later.pool)

    // A command that needs its tables misses them, in words for a person.
    await old.pool.query('delete from schema_migration where number = $1', [ALL.length])
    await rejects(requireMigrated(later.pool), /npm run migrate/)
    // The same number of another migration is a different schema.
    await old.pool.query("update schema_migration set name = 'foundation' where number = 1")
    await rejects(migrate(url), OtherSchema)
    await rejects(
      requireMigrated(later.pool),
      /created by a development version of Rialto.*Set RIALTO_DATA_DIR to another directory/,
    )
  })

  test('are applied once when four processes start together', async () => {
    await using empty = await openEmptyDatabase()

    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.url)))

    deepEqual(applied.flat().sort(), [...ALL].sort())
    const { rows } = await empty.pool.query('select number from schema_migration order by number')
    equal(rows.length, ALL.length)
  })

  test('leave nothing behind when one fails, say which, and can be tried again', async () => {
    await using empty = await openEmptyDatabase()
    // Blocks the last table of the first migration, so that nearly all of it has run when it fails.
    await empty.pool.query('create table event (in_the_way integer)')

    await rejects(migrate(empty.url), (error: Error) => {
      match(error.message, /^Migration 1 schema failed and was rolled back$/)
      equal((error.cause as { code: string }).code, '42P07')
      return true
    })
    deepEqual(await empty.tables(), ['event', 'schema_migration'])
    equal(await pendingMigrations(empty.pool), ALL.length)

    await empty.pool.query('drop table event')
    deepEqual(await migrate(empty.url), ALL)
  })

  const IMPATIENT = { processMs: 300, tableMs: 100, tries: 40 }

  test('wait for another process that migrates, then say so; and ask again for a table that is in use', async () => {
    await using empty = await openEmptyDatabase()
    const other = await empty.pool.connect()
    await other.query('begin; select pg_advisory_xact_lock(7237221)')
    await rejects(
      migrate(empty.url, () => {}, IMPATIENT),
      MigrationBlocked,
    )
    await other.query('rollback')
    await other.query(
      'create table schema_migration (number integer primary key, name text not null, applied_at timestamptz not null)',
    )
    await other.query('begin; lock table schema_migration in share mode')
    const migrated = migrate(empty.url, () => {}, IMPATIENT)
    await sleep(1_000)
    await other.query('rollback')
    other.release()
    deepEqual(await migrated, ALL)
  })

  test('run through a pooler in transaction mode, and leave no lock and no old connection behind', async () => {
    await using empty = await openEmptyDatabase()
    await using pooler = await startTransactionPooler({ serverUrl: empty.url })
    const url = pooler.route(empty.url)
    const applied = await Promise.all([1, 2].map(() => migrate(url)))
    deepEqual(applied.flat().sort(), [...ALL].sort())
    await using through = disposablePool(url)
    await requireMigrated(through.pool)
    deepEqual(pooler.violations, [])
    equal(await countAdvisoryLocks(empty.pool), 0)
  })
})

/** Counts the locks in this database; other tests have databases of their own. */
async function countAdvisoryLocks(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as held from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`,
  )
  return rows[0].held
}

function disposablePool(connectionString: string) {
  const pool = openPool(connectionString, 10)
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}
