import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrateJobQueue } from './job-queue.ts'
import { endUnlessSet, type Queryable, saveRoleSettings } from './role-settings.ts'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Key of the advisory lock that lets one process migrate at a time: any number, but the same in all versions. */
const LOCK = 7_237_221
/** SQLSTATE lock_not_available. */
const LOCK_TIMEOUT = '55P03'

/** How long a migration waits for locks. */
export interface MigrationWaits {
  /** Wait for another process that is migrating. */
  processMs: number
  /** Wait for the lock of a table. It is short, because every later query on the table queues behind it. */
  tableMs: number
  /** How often a lock is tried. Between two tries is a pause of one to two `tableMs`, in which queries proceed. */
  tries: number
}

const WAITS: MigrationWaits = { processMs: 60_000, tableMs: 300, tries: 60 }

export interface Migration {
  number: number
  name: string
  sql: string
}

/** Reads the SQL files of `migrations/`, in order. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(`${FOLDER}/${file}`, 'utf8'),
    }))
}

/**
 * Migrates the database to the newest version, each migration in its own transaction, and also the job queue and the
 * settings of the role. Forward only. An older version of the service keeps running meanwhile, because a migration only
 * adds (docs/operating/migrations.md). No session state is used, so this works through a pooler too.
 *
 * @returns the names of the migrations that were applied now
 */
export async function migrate(
  databaseUrl: string,
  log: (text: string) => void = () => {},
  waits: MigrationWaits = WAITS,
): Promise<string[]> {
  await withClient(databaseUrl, async (client) => {
    await alone(client, waits, () => prepare(client))
    await endUnlessSet(client)
  })
  const applied = await withClient(databaseUrl, async (client) => {
    const names: string[] = []
    for (const migration of await pending(client)) {
      if (!(await apply(client, migration, waits))) continue
      names.push(migration.name)
      log(`migration ${migration.number} ${migration.name}`)
    }
    return names
  })
  await migrateJobQueue(databaseUrl)
  return applied
}

async function withClient<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'rialto migrate' })
  // The query fails, too, when its connection is lost.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Another process has held the lock for longer than a migration may take. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked'

  constructor(ms: number) {
    super(
      `Another process has been migrating this database for ${ms / 1000} seconds. Wait for it to end, then try again.`,
    )
  }
}

/** Runs `work` in a transaction that holds the lock. The lock is released when the transaction ends for any reason. */
async function alone<Result>(client: pg.Client, waits: MigrationWaits, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    // The role's limits are meant for requests.
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`)
    await client.query(`set local lock_timeout = ${waits.processMs}`)
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]).catch((error: unknown) => {
      throw isLockTimeout(error) ? new MigrationBlocked(waits.processMs) : error
    })
    await client.query(`set local lock_timeout = ${waits.tableMs}`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: string }).code === LOCK_TIMEOUT

async function prepare(client: pg.Client): Promise<void> {
  await saveRoleSettings(client)
  // pg-boss would create it, too, but of two processes that do so at once one fails.
  await client.query('create schema if not exists pgboss')
  const { rows } = await client.query(`select from pg_class where oid = to_regclass('schema_migration')`)
  if (rows.length > 0) return
  await client.query(
    `create table schema_migration (number integer primary key, name text not null, applied_at timestamptz not null);
    comment on table schema_migration is 'The migrations that were applied to this database.'`,
  )
}

async function pending(client: Queryable): Promise<Migration[]> {
  const { rows } = await client.query<{ number: number; name: string }>('select number, name from schema_migration')
  const done = new Map(rows.map((row) => [row.number, row.name]))
  const migrations = readMigrations()
  const other = migrations.find(({ number, name }) => done.has(number) && done.get(number) !== name)
  if (other) throw new OtherSchema(other, done.get(other.number) ?? '')
  return migrations.filter(({ number }) => !done.has(number))
}

/** @returns `false` if another process has applied it meanwhile */
async function apply(client: pg.Client, migration: Migration, waits: MigrationWaits): Promise<boolean> {
  const { number, name } = migration
  for (let tried = 1; ; tried++) {
    try {
      return await alone(client, waits, () => applyOnce(client, migration))
    } catch (error) {
      if (error instanceof MigrationBlocked) throw error
      if (!isLockTimeout(error) || tried === waits.tries)
        throw new Error(`Migration ${number} ${name} failed and was rolled back`, { cause: error })
    }
    await sleep(waits.tableMs * (1 + Math.random()))
  }
}

async function applyOnce(client: pg.Client, { number, name, sql }: Migration): Promise<boolean> {
  const { rows } = await client.query('select from schema_migration where number = $1', [number])
  if (rows.length > 0) return false
  await client.query(sql)
  await client.query('insert into schema_migration values ($1, $2, $3)', [number, name, new Date()])
  return true
}

/** The database lacks a migration or its settings. Thrown before a service or a command uses it. */
export class DatabaseNotMigrated extends Error {
  override readonly name = 'DatabaseNotMigrated'

  constructor(reason = 'This database is empty or has an older schema') {
    super(`${reason}. Start the service once (npm start), or run: npm run migrate`)
  }
}

/** The database has a different migration under the same number: the schema of an unreleased development version. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema'

  constructor({ number, name }: Migration, had: string) {
    super(
      `This database was created by a development version of Rialto: its migration ${number} is "${had}", and that of this version is "${name}". It cannot be migrated. Nothing was deleted. Set RIALTO_DATA_DIR to another directory, or DATABASE_URL to an empty database.`,
    )
  }
}

/** @throws DatabaseNotMigrated, OtherSchema */
export async function requireMigrated(pool: Pick<pg.Pool, 'query' | 'connect'>): Promise<void> {
  const { rows } = await pool.query(`select from pg_class where oid = to_regclass('schema_migration')`)
  if (rows.length === 0 || (await pendingMigrations(pool)) > 0) throw new DatabaseNotMigrated()
  await requireSettings(pool)
}

const RENEWALS_MAX = 10

/**
 * Requires the role's settings on connections. A pooler may still have some that were opened before the settings were
 * made; each one that is found is terminated.
 */
async function requireSettings(pool: Pick<pg.Pool, 'connect'>): Promise<void> {
  for (let tried = 1; ; tried++) {
    const client = await pool.connect()
    client.once('error', () => {})
    const wrong = await endUnlessSet(client).finally(() => client.release(true))
    if (wrong.length === 0) return
    if (tried === RENEWALS_MAX)
      throw new DatabaseNotMigrated(`Connections lack the settings of their role: ${wrong.join('; ')}`)
  }
}

/** Counts the migrations of this version that the database lacks. The service is not ready until there are none. */
export async function pendingMigrations(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  return (await pending(pool as Queryable)).length
}
