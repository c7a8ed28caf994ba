import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db } from '../../server/db/connection.ts'
import type { DB } from '../../server/db/tables.ts'

/**
 * Opens a pool with the types that PostgreSQL returns. Its end does not wait until the server has closed the
 * connections: dropping the database then terminates them, and without a listener that would end the process.
 */
export function openPool(databaseUrl: string, max = 1): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max })
  pool.on('error', () => {})
  return pool
}

/** @param log is called with each statement */
export function openDb(databaseUrl: string, log?: (event: LogEvent) => void): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: openPool(databaseUrl) }), ...(log && { log }) })
}
