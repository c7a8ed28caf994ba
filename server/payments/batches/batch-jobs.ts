import Type from 'typebox'
import { transaction } from '../../db/transaction.ts'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { SendingServices } from '../services.ts'
import { completeBatches } from './complete-batches.ts'
import { resolveSettlements } from './resolve-settlements.ts'
import { settleDueBatches } from './settle-due-batches.ts'
import { findNextBatchInquiry } from './settlement-queries.ts'

const TIMETABLE_MINUTES = 1
/** The minimum delay, because a settlement that is still due could not be resolved by this run. */
const PAUSE_SECONDS = 1

/** Runs every minute, and additionally when an inquiry about a settlement is due. */
export const batchesJob = job({
  name: 'settle-batches',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 30 },
  timetable: minutes(TIMETABLE_MINUTES),
  pollSeconds: 10,
  async run(services: SendingServices) {
    const { db, clock, timings } = services
    await resolveSettlements(services)
    await settleDueBatches(services)
    await completeBatches(services)
    const next = await findNextBatchInquiry(db, timings.wireMs)
    const now = clock.now()
    if (next === null || next > addSeconds(now, TIMETABLE_MINUTES * 60)) return
    const soonest = addSeconds(now, PAUSE_SECONDS)
    await transaction(db, (tx) => enqueue(tx, next > soonest ? next : soonest))
  },
})

const enqueue: (tx: Parameters<typeof batchesJob.enqueue>[0], at: Date) => Promise<void> = (tx, at) =>
  batchesJob.enqueue(tx, {}, { at })
