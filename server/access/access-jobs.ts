import Type from 'typebox'
import type { Db } from '../db/connection.ts'
import { deleteExpiredCounters } from '../http/rate-limit-queries.ts'
import { job } from '../jobs/job.ts'
import { daily, minutes } from '../jobs/timetable.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { deleteExpiredCodes } from './factors/one-time-code-queries.ts'
import { forgetOldFailures } from './people/sign-in-lock.ts'
import { deleteEndedSessions } from './sessions/live-session-queries.ts'
import { TRACE_SECONDS } from './sessions/member-trace.ts'
import { deleteOldTraces } from './sessions/member-trace-queries.ts'
import { deleteExpiredBrowserTokens } from './tokens/browser-token-queries.ts'
import { deleteExpiredAccessTokens } from './tokens/token-queries.ts'

/**
 * How long ended credentials are stored: a month, so that an operator can still find out which token made a recent
 * call.
 */
const KEPT_SECONDS = 30 * 86_400

interface Services {
  db: Db
  clock: Clock
}

export const deleteExpiredCredentialsJob = job({
  name: 'delete-expired-credentials',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:17'),
  run: async (services: Services) => {
    const { db, clock } = services
    await deleteExpiredAccessTokens(db, addSeconds(clock.now(), -KEPT_SECONDS))
    await forgetOldFailures(services)
    await deleteExpiredBrowserTokens(db, clock.now())
    await deleteEndedSessions(db, clock.now())
    await deleteOldTraces(db, addSeconds(clock.now(), -TRACE_SECONDS))
    await deleteExpiredCodes(db, clock.now())
  },
})

export const deleteExpiredCountersJob = job({
  name: 'delete-expired-counters',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: minutes(30),
  run: ({ db, clock }: Services) => deleteExpiredCounters(db, clock.now()),
})
