import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const open = new AsyncLocalStorage<true>()

/** Runs `work` in one transaction, which commits when `work` resolves and rolls back when it rejects. */
export function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return open.run(true, () => db.transaction().execute(work))
}

/**
 * Throws inside a transaction: a connection held during a network call would make the service depend on the latency of
 * the gateway.
 *
 * @see PAY-4
 */
export function assertNoTransaction(what: string): void {
  assert(open.getStore() === undefined, `${what} must not be called while a transaction is open`)
}
