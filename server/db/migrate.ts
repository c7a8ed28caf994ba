import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Any number, as long as all versions of Rialto agree: only one process migrates at a time. */
const LOCK = 7_237_221
/** A migration waits this long for a lock, then gives up and can be tried again: live traffic must not queue behind it. */
const LOCK_WAIT = '5s'

export interface Migration {
  number: number
  name: string
  sql: string
}

/** The SQL files of `migrations/`, in order. */
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
 * Brings the database to the newest migration, each in a transaction of its own. Forward only; an older version of the
 * service keeps running meanwhile, because a migration only adds (docs/operating/migrations.md).
 *
 * @returns the names of those that were applied now
 */
export async function migrate(databaseUrl: string, log: (text: string) => void = () => {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'rialto migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const applied: string[] = []
    for (const migration of await pending(client)) {
      await apply(client, migration)
      applied.push(migration.name)
      log(`migration ${migration.number} ${migration.name}`)
    }
    return applied
  } finally {
    await client.end()
  }
}

async function pending(client: pg.Client): Promise<Migration[]> {
  await client.query(
    `create table if not exists schema_migration (number integer primary key, name text not null, applied_at timestamptz not null);
    comment on table schema_migration is 'The migrations that this database has had.'`,
  )
  const { rows } = await client.query<{ number: number }>('select number from schema_migration')
  const done = new Set(rows.map((row) => row.number))
  return readMigrations().filter(({ number }) => !done.has(number))
}

async function apply(client: pg.Client, { number, name, sql }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_WAIT}'`)
    await client.query(sql)
    await client.query('insert into schema_migration values ($1, $2, $3)', [number, name, new Date()])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${number} ${name} failed and left nothing behind`, { cause: error })
  }
}

/** A command of the operator would run into tables that are not there. */
export class DatabaseNotMigrated extends Error {
  override readonly name = 'DatabaseNotMigrated'

  constructor() {
    super('This database is empty, or of an older version. Start the service once (npm start), or run: npm run migrate')
  }
}

/** @throws DatabaseNotMigrated */
export async function requireMigrated(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`select from pg_class where oid = to_regclass('schema_migration')`)
  if (rows.length === 0 || (await pendingMigrations(pool)) > 0) throw new DatabaseNotMigrated()
}

/** Migrations that this version has and the database has not: readiness waits for them. */
export async function pendingMigrations(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ number: number }>('select number from schema_migration')
  const done = new Set(rows.map((row) => row.number))
  return readMigrations().filter(({ number }) => !done.has(number)).length
}
