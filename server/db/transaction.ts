import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const open = new AsyncLocalStorage<true>()

/** Runs `work` in one transaction: all of it is kept, or none. */
export function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return open.run(true, () => db.transaction().execute(work))
}

/**
 * Stops a defect before it costs: a connection held over a network call takes the service down with the gateway
 * (PAY-4).
 */
export function assertNoTransaction(what: string): void {
  assert(open.getStore() === undefined, `${what} may not be called while a transaction is open`)
}
