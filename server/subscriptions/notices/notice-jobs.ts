import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { hourly, minutes } from '../../jobs/timetable.ts'
import { notifyExpiringCards } from './notify-expiring-cards.ts'
import { type NoticeServices, notifyRenewals } from './notify-renewals.ts'

const SHARED = { data: Type.Object({}), retries: { max: 0, delaySeconds: 60 } }

/** If nothing is due, a run is a single lookup in the index of `due_at` for each business that sends notices. */
export const notifyRenewalsJob = job({
  ...SHARED,
  name: 'notify-renewals',
  timetable: minutes(5),
  run: async (services: NoticeServices) => void (await notifyRenewals(services)),
})

/** Runs hourly, because a month begins at a different hour in each time zone. */
export const notifyExpiringCardsJob = job({
  ...SHARED,
  name: 'notify-expiring-cards',
  timetable: hourly(5),
  run: async (services: NoticeServices) => void (await notifyExpiringCards(services)),
})
