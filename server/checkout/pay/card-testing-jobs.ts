import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { hourly } from '../../jobs/timetable.ts'
import type { Clock } from '../../lib/clock.ts'
import { forgetRefusedCardTries } from './card-testing.ts'

export const deleteRefusedCardTriesJob = job({
  name: 'delete-refused-card-tries',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 60 },
  timetable: hourly(41),
  run: (services: { db: Db; clock: Clock }) => forgetRefusedCardTries(services),
})
