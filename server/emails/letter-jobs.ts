import Type from 'typebox'
import type { Db } from '../db/connection.ts'
import { job } from '../jobs/job.ts'
import { daily } from '../jobs/timetable.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { deleteLetters } from './letter-queries.ts'

const DAY_SECONDS = 86_400
/** Number of letters that one statement deletes. */
const PORTION = 500

/** Deletes old letters, because they name people and what they pay. Invoices stay (LTR-16). */
export const deleteOldLettersJob = job({
  name: 'delete-old-letters',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: daily('04:41'),
  async run({ db, clock, letterDays }: { db: Db; clock: Clock; letterDays: number }) {
    const before = addSeconds(clock.now(), -letterDays * DAY_SECONDS)
    while ((await deleteLetters(db, { before, limit: PORTION })) === PORTION);
  },
})
