import type { Db } from '../../db/connection.ts'
import { msOfId } from '../../lib/ids.ts'
import { findWaitingEndpoints } from './delivery-queries.ts'

/** For how long the delivery that waits longest has been due: 0 when none is. */
export async function oldestDueSeconds(db: Db, now: Date): Promise<number> {
  const waiting = await findWaitingEndpoints(db)
  // A first attempt is due since its event was recorded.
  const dueSince = waiting.map(({ dueAt, eventId }) => (dueAt instanceof Date ? dueAt.getTime() : msOfId(eventId)))
  return Math.max(0, now.getTime() - Math.min(now.getTime(), ...dueSince)) / 1_000
}
