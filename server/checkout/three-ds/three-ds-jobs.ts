import Type from 'typebox'
import type { Db } from '../../db/connection.ts'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import type { Clock } from '../../lib/clock.ts'
import { inquireOpenChallenges } from './inquire-open-challenges.ts'
import { wipeExpiredAuthentications } from './wipe-expired-authentications.ts'

export const inquireOpenChallengesJob = job({
  name: 'inquire-open-challenges',
  data: Type.Object({}),
  retries: { max: 0, delaySeconds: 30 },
  timetable: minutes(1),
  run: inquireOpenChallenges,
})

export const wipeExpiredAuthenticationsJob = job({
  name: 'wipe-expired-authentications',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 30 },
  timetable: minutes(1),
  run: async (services: { db: Db; clock: Clock }) => void (await wipeExpiredAuthentications(services)),
})
