import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './transaction.ts'

// A commit waits until the disk has its log. What PostgreSQL may lose when it or its machine crashes, the last 0.6 s at
// most, need not wait. A later commit that waits includes all earlier ones.

/** A condition that always holds: the statement, outside a transaction, commits without waiting for the disk. */
export const unflushed: RawBuilder<boolean> = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`

/** The same for a transaction. */
export async function commitUnflushed(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
