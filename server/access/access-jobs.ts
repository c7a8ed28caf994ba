import type { Db } from '../db/connection.ts'
import { deleteExpiredCounters } from '../http/rate-limit-queries.ts'
import type { JobKind } from '../jobs/jobs.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { forgetOldFailures } from './people/sign-in-lock.ts'
import { deleteExpiredBrowserTokens } from './tokens/browser-token-queries.ts'
import { deleteExpiredAccessTokens } from './tokens/token-queries.ts'

/** A month, so that an operator can still find out which token made a recent call. */
const ACCESS_TOKENS_KEPT_SECONDS = 30 * 86_400

/** Delete credentials once a day and rate limit counters every half hour, when they no longer decide anything. */
export function accessJobs(services: { db: Db; clock: Clock }): JobKind<object>[] {
  return [
    {
      name: 'forget-expired-credentials',
      retryDelaySeconds: 60,
      retriesMax: 3,
      timetable: '17 4 * * *',
      run: () => forgetExpiredCredentials(services),
    },
    {
      name: 'forget-expired-counters',
      retryDelaySeconds: 60,
      retriesMax: 3,
      timetable: '*/30 * * * *',
      run: () => deleteExpiredCounters(services.db, services.clock.now()),
    },
  ]
}

/**
 * Deletes access tokens that expired a month ago, expired browser tokens, and failed sign-ins that no longer lock
 * anyone.
 */
export async function forgetExpiredCredentials({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now()
  await deleteExpiredAccessTokens(db, addSeconds(now, -ACCESS_TOKENS_KEPT_SECONDS))
  await forgetOldFailures({ db, clock })
  await deleteExpiredBrowserTokens(db, now)
}
