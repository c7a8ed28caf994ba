import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { daily } from '../../jobs/timetable.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { deleteOldStarts } from './first-charge-queries.ts'

const DAY_SECONDS = 86_400

export const deleteOldStartsJob = job({
  name: 'delete-old-subscription-starts',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:29'),
  run: ({ db, clock }: { db: Db; clock: Clock }) => deleteOldStarts(db, addSeconds(clock.now(), -DAY_SECONDS)),
})
