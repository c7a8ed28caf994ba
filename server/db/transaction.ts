import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

/** Of the open transaction: the calls that follow its commit. */
const open = new AsyncLocalStorage<(() => void)[]>()

/** Runs `work` in one transaction, which commits when `work` resolves and rolls back when it rejects. */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const committed: (() => void)[] = []
  const result = await open.run(committed, () => db.transaction().execute(work))
  for (const follow of committed) follow()
  return result
}

/** Calls `follow` when the open transaction has committed, never when it is rolled back; at once when none is open. */
export function afterCommit(follow: () => void): void {
  const committed = open.getStore()
  if (committed) committed.push(follow)
  else follow()
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
