import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { READ_TIMEOUT, runOn } from './statement.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>

const INT8 = 20
const DATE = 1082
const STATEMENTS_NAMED_MAX = 500
/** How long a request waits for a free connection (FLT-35). */
export const REQUEST_WAIT_MS = 2_000

export interface ConnectOptions {
  url: string
  /**
   * Maximum number of connections of this process. None is held during a gateway call, so ten serve hundreds of
   * payments.
   */
  max?: number
  /** Set to `false` for a pooler in transaction mode that does not keep track of prepared statements. */
  preparedStatements?: boolean
  /** How long a caller waits for a free connection. */
  waitMs?: number
  onIdleError?: (error: Error) => void
}

export interface Database {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * Opens the pool. If the database is unavailable a caller fails instead of hanging: after `waitMs` without a free
 * connection, by the limits of role-settings.ts for a statement, and after 7 s if the server does not respond at all,
 * because the network is cut.
 */
export function connect(options: ConnectOptions): Database {
  const { url, max = 10, preparedStatements = true, waitMs = 15_000, onIdleError = () => {} } = options
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMs,
    query_timeout: 7_000,
    // Longer than the timetable's minute, which would otherwise open new connections each time.
    idleTimeoutMillis: 90_000,
    types: { getTypeParser },
  })
  // Emitted when an idle client loses its connection. Without a listener the process would exit (FLT-30).
  let isClosing = false
  pool.on('error', (error: Error & { client?: unknown }) => {
    // pg-pool attaches the whole client, which would be logged.
    delete error.client
    // When the pool is closing, the server may stop before the last client has disconnected.
    if (!isClosing) onIdleError(error)
  })
  nameStatements(pool, preparedStatements ? STATEMENTS_NAMED_MAX : 0)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  runOn(db, pool, { named: preparedStatements })
  const close = async () => {
    isClosing = true
    await db.destroy()
    // Kysely does not end a pool that it has not used.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/**
 * Returns the parser: `int8` is a number, because cents and counters are far below 2^53; dates are text, `YYYY-MM-DD`.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return Number
  if (oid === DATE) return (text: string) => text
  return pg.types.getTypeParser(oid, format as 'text')
}

/**
 * Names every statement, so that a connection parses and plans it once. Measured on the pay call: planning its combined
 * statements each time costs more than running them. Texts after the first `namesMax` stay unnamed.
 */
function nameStatements(pool: pg.Pool, namesMax: number): void {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    if (!names.has(text) && names.size < namesMax) names.set(text, `s${names.size}`)
    return names.get(text)
  }
  pool.on('connect', (client) => {
    // The pool does not listen while a client is checked out, and an unhandled error event would end the process. The
    // query fails too.
    client.on('error', () => {})
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown
    const named = (text: unknown, values?: unknown, ...rest: unknown[]) => {
      const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0 && rest.length === 0
      const name = isPlain ? nameOf(text) : undefined
      const result = name === undefined ? query(text, values, ...rest) : query({ name, text, values })
      return result instanceof Promise ? result.catch((error: Error) => discardClient(client, error)) : result
    }
    client.query = named as typeof client.query
  })
}

/** Closes a connection on which a statement may still be running, so that it is not reused. */
async function discardClient(client: pg.PoolClient, error: Error): Promise<never> {
  if (error.message === READ_TIMEOUT) client.end().catch(() => {})
  throw error
}
