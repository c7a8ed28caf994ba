import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { daily } from '../../jobs/timetable.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { KEY_LIFETIME_SECONDS } from './respond-once.ts'
import { deleteOldResumeRequests } from './resume-request-queries.ts'

export const deleteOldResumeRequestsJob = job({
  name: 'delete-old-resume-requests',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:33'),
  run: ({ db, clock }: { db: Db; clock: Clock }) =>
    deleteOldResumeRequests(db, addSeconds(clock.now(), -KEY_LIFETIME_SECONDS)),
})
