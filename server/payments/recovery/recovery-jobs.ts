import Type from 'typebox'
import { transaction } from '../../db/transaction.ts'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import { addSeconds } from '../../lib/clock.ts'
import { findNextInquiryAt } from '../open-operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { reconcileWrittenOff, resolveOperations } from './resolve-operations.ts'

const TIMETABLE_MINUTES = 1
/** What is due already could not be resolved just now. */
const PAUSE_SECONDS = 1

/** Every minute, and when an unknown outcome that was recorded is due. */
export const resolveJob = job({
  name: 'resolve-operations',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 5 },
  timetable: minutes(TIMETABLE_MINUTES),
  pollSeconds: 2,
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
 * Resolves what is open, and comes back when the next outcome is due, if that is before the timetable does. Also called at
 * the start of a process, for what a crash left.
 */
export async function resolveAndComeBack(services: PaymentServices): Promise<void> {
  const { db, clock, timings } = services
  await resolveOperations(services)
  const next = await findNextInquiryAt(db, timings)
  const now = clock.now()
  if (next === null || next > addSeconds(now, TIMETABLE_MINUTES * 60)) return
  const soonest = addSeconds(now, PAUSE_SECONDS)
  await transaction(db, (tx) => services.resolveSoon(tx, next > soonest ? next : soonest))
}
