import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { READ_TIMEOUT, runOn } from './statement.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>

const INT8 = 20
const DATE = 1082
const STATEMENTS_NAMED_MAX = 500

export interface ConnectOptions {
  url: string
  /** Connections of this process. Nothing holds one while a gateway is called, so ten serve hundreds of payments. */
  max?: number
  /** Off for a pooler in transaction mode that does not keep track of prepared statements. */
  preparedStatements?: boolean
  onIdleError?: (error: Error) => void
}

export interface Database {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * Opens the pool. A sick database fails a request and does not hang it: 2 s for a free connection, the limits of
 * role-settings.ts for a statement, and 7 s for a server that says nothing at all because the network between is cut.
 */
export function connect(options: ConnectOptions): Database {
  const { url, max = 10, preparedStatements = true, onIdleError = () => {} } = options
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 2_000,
    query_timeout: 7_000,
    // Longer than the minute of the timetable, which would otherwise open them anew each time.
    idleTimeoutMillis: 90_000,
    types: { getTypeParser },
  })
  // An idle client that loses its server emits here; without a listener the process would end (FLT-30).
  pool.on('error', onIdleError)
  nameStatements(pool, preparedStatements ? STATEMENTS_NAMED_MAX : 0)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  runOn(db, pool, { named: preparedStatements })
  const close = async () => {
    await db.destroy()
    // Kysely leaves a pool alone that it has sent nothing through.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/** Cents and counters are far below 2^53; days stay text, `YYYY-MM-DD`. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return Number
  if (oid === DATE) return (text: string) => text
  return pg.types.getTypeParser(oid, format as 'text')
}

/**
 * Gives every statement a name, so that a connection parses and plans it once. Measured on the pay call: planning its
 * folded statements anew costs more than running them. Texts beyond the first few hundred stay unnamed.
 */
function nameStatements(pool: pg.Pool, namesMax: number): void {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    if (!names.has(text) && names.size < namesMax) names.set(text, `s${names.size}`)
    return names.get(text)
  }
  pool.on('connect', (client) => {
    // While a client is lent the pool does not listen, and an error nobody listens to ends the process. The query fails too.
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

/** A connection on which a statement may still run is not lent again. */
async function discardClient(client: pg.PoolClient, error: Error): Promise<never> {
  if (error.message === READ_TIMEOUT) client.end().catch(() => {})
  throw error
}
