import { CompiledQuery, type Kysely } from 'kysely'
import pg from 'pg'
import { isRefusedStatement } from './database-errors.ts'
import { wakeOutbox } from './outbox.ts'
import { PreparedQuery, prepareValue } from './prepared-query.ts'
import type { DB } from './tables.ts'

// Statements of the money path. Their texts are constant and have fixed names, so nothing is built or compiled when
// they run. A text is written once with named parameters, and run with an object of values.

/** `p.sessionId` is the placeholder of that parameter, such as `$3`, wherever it occurs in the text. */
export type Placeholders = Readonly<Record<string, string>>

export interface Statement {
  /** The name of the prepared statement, unique in the process. */
  readonly name: string
  readonly text: string
  /** Parameters in the order of their numbers. */
  readonly parameters: readonly string[]
  /** Whether its commit wakes the workers of the outbox, for the business in the parameter `businessId`. */
  readonly recordsEvents: boolean
  /** Whether these events may make notifications. */
  readonly notifies: boolean
}

export type Values = Readonly<Record<string, unknown>>

/** @param write must cast each parameter, because a prepared statement has fixed types: `${p.id}::uuid` */
export function statement(name: string, write: (p: Placeholders) => string): Statement {
  const numbers = new Map<string, string>()
  const placeholders = new Proxy<Record<string, string>>(
    {},
    {
      get(_target, parameter: string) {
        const known = numbers.get(parameter) ?? `$${numbers.size + 1}`
        numbers.set(parameter, known)
        return known
      },
    },
  )
  const text = write(placeholders)
  const recordsEvents = /\binsert into event\b/.test(text)
  const notifies = /\binsert into notification\b/.test(text)
  return { name, text, parameters: [...numbers.keys()], recordsEvents, notifies }
}

type Db = Kysely<DB>

interface Pool {
  pool: pg.Pool
  /** If `false`, each statement is sent without a name, so that no connection keeps it. */
  named: boolean
}

const pools = new WeakMap<Db, Pool>()

/** Sets where statements run. Called where the pool is opened. */
export function runOn(db: Db, pool: pg.Pool, { named }: { named: boolean }): void {
  pools.set(db, { pool, named })
}

/**
 * Runs a statement on a connection of the pool, or on the transaction's connection when `db` is a transaction.
 *
 * @param values dates are converted to text; objects must already be JSON
 */
export async function run<Row extends object>(db: Db, statement: Statement, values: Values): Promise<Row[]> {
  const list = statement.parameters.map((parameter) => parameterOf(statement, parameter, values))
  const pool = pools.get(db)
  const rows = pool
    ? await runOnPool<Row>(pool, statement, list)
    : (await db.executeQuery<Row>(CompiledQuery.raw(statement.text, list))).rows
  if (statement.recordsEvents) wakeOutbox({ businessId: String(values.businessId), notifies: statement.notifies })
  return rows
}

function parameterOf({ name }: Statement, parameter: string, values: Values): unknown {
  const value = values[parameter]
  if (value === undefined) throw new Error(`The statement ${name} was given no ${parameter}`)
  return value instanceof Date ? value.toISOString() : value
}

/** The driver's error for a query without a response: its connection may still be running it. */
export const READ_TIMEOUT = 'Query read timeout'

function runOnPool<Row extends object>(
  { pool, named }: Pool,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const prepared = values.map(prepareValue)
  return new Promise((resolve, reject) => {
    pool.connect((unavailable, client, release) => {
      if (unavailable || !client) return reject(unavailable)
      const done = (error: Error | null, rows: Row[]) => {
        release(error ? !leavesConnection(error) : false)
        if (error) reject(error)
        else resolve(rows)
      }
      client.query(
        named
          ? new PreparedQuery<Row>(client, { name, text, values: prepared }, done)
          : new pg.Query<Row>({ text, values: prepared }, (error, result) => done(error ?? null, result?.rows)),
      )
    })
  })
}

/**
 * Whether the connection can be reused after an error. After an error of the statement it can; after any other, the
 * connection has ended or is silent.
 */
const leavesConnection = isRefusedStatement
