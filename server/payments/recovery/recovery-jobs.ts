import Type from 'typebox'
import { transaction } from '../../db/transaction.ts'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import { addSeconds } from '../../lib/clock.ts'
import { findNextInquiryAt } from '../open-operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { reconcileWrittenOff, resolveOperations } from './resolve-operations.ts'

const TIMETABLE_MINUTES = 1
/** The minimum delay, because an operation that is still due could not be resolved by this run. */
const PAUSE_SECONDS = 1

/** Runs every minute, and additionally when an inquiry is due. */
export const resolveJob = job({
  name: 'resolve-operations',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 5 },
  timetable: minutes(TIMETABLE_MINUTES),
  pollSeconds: 10,
  run: resolveAndComeBack,
})

export const reconcileWrittenOffJob = job({
  name: 'reconcile-written-off',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 60 },
  timetable: minutes(10),
  run: (services: PaymentServices) => reconcileWrittenOff(services),
})

/**
 * Resolves open operations, and enqueues another run if the next inquiry is due before the timetable. Also called at
 * start-up, for operations that a crash left open.
 */
export async function resolveAndComeBack(services: PaymentServices): Promise<void> {
  const { db, clock, timings } = services
  await resolveOperations(services)
  const now = clock.now()
  const next = await findNextInquiryAt(db, { ...timings, now })
  if (next === null || next > addSeconds(now, TIMETABLE_MINUTES * 60)) return
  const soonest = addSeconds(now, PAUSE_SECONDS)
  await transaction(db, (tx) => services.resolveSoon(tx, next > soonest ? next : soonest))
}
