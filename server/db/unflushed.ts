import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './transaction.ts'

// A commit waits until its log is on disk. Data that may be lost when PostgreSQL or its machine crashes, at most the
// last 0.6 s, need not wait. A later commit that waits includes all earlier ones.

/** A condition that is always true. With it a statement outside a transaction commits without waiting for the disk. */
export const unflushed: RawBuilder<boolean> = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`

/** Lets a transaction commit without waiting for the disk. */
export async function commitUnflushed(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
