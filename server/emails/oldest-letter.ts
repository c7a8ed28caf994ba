import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import { timeOfId } from '../lib/ids.ts'
import { findOldestPending } from './letter-queries.ts'

/** Returns how long the oldest letter has waited to be sent, in real time; 0 if none waits. */
export async function oldestLetterSeconds({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const id = await findOldestPending(db)
  return id === null ? 0 : Math.max(0, (clock.now().getTime() - timeOfId(id)) / 1_000)
}
