import assert from 'node:assert/strict'
import { sql, type Transaction } from 'kysely'
import { openTransaction } from './after-commit.ts'
import type { Db } from './connection.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

/**
 * Runs `work` in one transaction, which commits when `work` resolves and rolls back when it rejects. Given a
 * transaction, `work` is a part of it: the outer one commits or rolls back all.
 */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return work(db as Tx)
  const committed: (() => void)[] = []
  const result = await openTransaction.run(committed, () => db.transaction().execute(work))
  for (const follow of committed) follow()
  return result
}

/**
 * Runs `work` as a part of the transaction that may fail on its own: if it rejects, what it wrote is rolled back and
 * the transaction goes on. Never run two at once in one transaction.
 */
export async function savepoint<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint part`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx)
    throw error
  }
}

/**
 * Throws inside a transaction: a connection held during a network call would make the service depend on the latency of
 * the gateway.
 *
 * @see PAY-4
 */
export function assertNoTransaction(what: string): void {
  assert(openTransaction.getStore() === undefined, `${what} must not be called while a transaction is open`)
}
