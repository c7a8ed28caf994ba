import type { Db } from '../db/connection.ts'
import { deleteExpiredCounters } from '../http/rate-limit-queries.ts'
import type { JobKind } from '../jobs/jobs.ts'
import type { Clock } from '../lib/clock.ts'
import { forgetExpiredCredentials } from './forget-expired.ts'
import { deleteExpiredBrowserTokens } from './tokens/browser-token-queries.ts'

/** Tokens long past their time, and counters nobody asks for any more, once a day. */
export function accessJobs(services: { db: Db; clock: Clock }): JobKind<object>[] {
  return [
    {
      name: 'forget-expired-credentials',
      retryDelaySeconds: 60,
      retriesMax: 3,
      timetable: '17 4 * * *',
      run: async () => {
        await forgetExpiredCredentials(services)
        await deleteExpiredBrowserTokens(services.db, services.clock.now())
      },
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
