import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { wipeExpired } from '../../three-d-secure/authentication-state-queries.ts'

/** Grace period after the expiry, for a result that is just being recorded. */
const GRACE_SECONDS = 30
const BATCH = 500

/**
 * Wipes cards and authentication values that are no longer needed, because the payer left.
 *
 * @returns the number of wiped authentications
 */
export async function wipeExpiredAuthentications({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  let all = 0
  for (;;) {
    const wiped = await wipeExpired(db, { now: clock.now(), graceSeconds: GRACE_SECONDS, limit: BATCH })
    all += wiped
    if (wiped < BATCH) return all
  }
}
