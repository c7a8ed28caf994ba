import Type from 'typebox'
import type { Db } from '../db/connection.ts'
import { job } from '../jobs/job.ts'
import { daily, hourly } from '../jobs/timetable.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { deleteOldRefusals } from './refused-request-queries.ts'
import { deleteOldRequests } from './request-queries.ts'

/** How long requests are stored (DSH-4). */
const REQUEST_SECONDS = 86_400
/** How long refused calls are stored (ACC-31). */
const REFUSAL_SECONDS = 7 * 86_400

export const deleteOldDashboardRequestsJob = job({
  name: 'delete-old-dashboard-requests',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:23'),
  run: ({ db, clock }: { db: Db; clock: Clock }) => deleteOldRequests(db, addSeconds(clock.now(), -REQUEST_SECONDS)),
})

export const deleteOldRefusalsJob = job({
  name: 'delete-old-refusals',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: hourly(13),
  run: ({ db, clock }: { db: Db; clock: Clock }) => deleteOldRefusals(db, addSeconds(clock.now(), -REFUSAL_SECONDS)),
})
