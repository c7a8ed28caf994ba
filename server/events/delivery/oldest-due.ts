import type { Db } from '../../db/connection.ts'
import { msOfId } from '../../lib/ids.ts'
import { findWaitingEndpoints } from './delivery-queries.ts'

/** Returns for how long the oldest waiting delivery has been due; 0 if none is due. */
export async function oldestDueSeconds(db: Db, now: Date): Promise<number> {
  const waiting = await findWaitingEndpoints(db)
  // A first attempt has been due since its event was recorded.
  const dueSince = waiting.map(({ dueAt, eventId }) => (dueAt instanceof Date ? dueAt.getTime() : msOfId(eventId)))
  return Math.max(0, now.getTime() - Math.min(now.getTime(), ...dueSince)) / 1_000
}
