import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import { type ExpiryServices, expireSessions } from './expire-sessions.ts'

export const expireSessionsJob = job({
  name: 'expire-sessions',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 30 },
  timetable: minutes(1),
  run: async (services: ExpiryServices) => void (await expireSessions(services)),
})
