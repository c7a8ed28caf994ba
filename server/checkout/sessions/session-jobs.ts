import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { daily, minutes } from '../../jobs/timetable.ts'
import { addSeconds } from '../../lib/clock.ts'
import { deleteOldCardLinks } from './customer-card-link-queries.ts'
import { type ExpiryServices, expireSessions } from './expire-sessions.ts'

export const expireSessionsJob = job({
  name: 'expire-sessions',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 30 },
  timetable: minutes(1),
  run: async (services: ExpiryServices) => void (await expireSessions(services)),
})

/** How long an ended link is stored. Until then its page says that it has ended; later, that there is no such link. */
const ENDED_LINK_SECONDS = 365 * 86_400

export const deleteOldCardLinksJob = job({
  name: 'delete-old-card-links',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:29'),
  // The time of a business is never behind, so no link is deleted too early.
  run: ({ db, clock }: ExpiryServices) => deleteOldCardLinks(db, addSeconds(clock.now(), -ENDED_LINK_SECONDS)),
})
