import Type from 'typebox'
import type { Db } from '../db/connection.ts'
import { job } from '../jobs/job.ts'
import { hourly } from '../jobs/timetable.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { deleteExpiredMessages } from './message-queries.ts'

/** Exceeds the difference between the clocks of processes. */
const KEPT_SECONDS = 3_600

export const deleteExpiredMessagesJob = job({
  name: 'delete-expired-wallet-messages',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 60 },
  timetable: hourly(47),
  run: async ({ db, clock }: { db: Db; clock: Clock }) => {
    await deleteExpiredMessages(db, addSeconds(clock.now(), -KEPT_SECONDS))
  },
})
