import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { daily } from '../../jobs/timetable.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { deleteOldSaleRequests } from './sale-queries.ts'
import { KEY_LIFETIME_SECONDS } from './sale-request.ts'

export const deleteOldSaleRequestsJob = job({
  name: 'delete-old-sale-requests',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:23'),
  run: ({ db, clock }: { db: Db; clock: Clock }) =>
    deleteOldSaleRequests(db, addSeconds(clock.now(), -KEY_LIFETIME_SECONDS)),
})
