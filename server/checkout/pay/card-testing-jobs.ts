import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { hourly } from '../../jobs/timetable.ts'
import type { Clock } from '../../lib/clock.ts'
import { forgetRefusedCardAttempts } from './card-testing.ts'

export const deleteRefusedCardAttemptsJob = job({
  name: 'delete-refused-card-attempts',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 60 },
  timetable: hourly(41),
  run: (services: { db: Db; clock: Clock }) => forgetRefusedCardAttempts(services),
})
