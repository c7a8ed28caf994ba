import type { Db } from '../db/connection.ts'

/** Counters whose time is over. They would be overwritten when asked for again; most never are. */
export async function deleteExpiredCounters(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit').where('expire', '<', now.getTime()).execute()
}
