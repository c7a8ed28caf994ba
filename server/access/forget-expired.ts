import type { Db } from '../db/connection.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { forgetOldFailures } from './people/sign-in-lock.ts'
import { deleteExpiredAccessTokens } from './tokens/token-queries.ts'

/** Long enough that somebody who asks about yesterday's calls still finds which token made them. */
const KEPT_SECONDS = 30 * 86_400

/** For a daily job: removes access tokens that ended a month ago, and failed sign-ins that lock nobody any more. */
export async function forgetExpiredCredentials({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await deleteExpiredAccessTokens(db, addSeconds(clock.now(), -KEPT_SECONDS))
  await forgetOldFailures({ db, clock })
}
