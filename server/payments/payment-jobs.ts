import { transaction } from '../db/transaction.ts'
import type { JobKind } from '../jobs/jobs.ts'
import { addSeconds } from '../lib/clock.ts'
import { findNextInquiryAt } from './open-operation-queries.ts'
import { reconcileDueDays } from './reconciliation/reconcile-due-days.ts'
import { reconcileWrittenOff, resolveOperations } from './recovery/resolve-operations.ts'
import type { PaymentServices } from './services.ts'
import { deleteOldSaleRequests } from './stored-card-sale/sale-queries.ts'
import { KEY_LIFETIME_SECONDS } from './stored-card-sale/sale-request.ts'

export const RESOLVE_OPERATIONS = 'resolve-operations'
const TIMETABLE_SECONDS = 60

/** What the worker does for money: every minute, and whenever an unknown outcome is recorded. */
export function paymentJobs(services: PaymentServices): JobKind<object>[] {
  return [
    {
      name: RESOLVE_OPERATIONS,
      retryDelaySeconds: 5,
      retriesMax: 3,
      timetable: '* * * * *',
      run: () => resolveAndComeBack(services),
    },
    {
      name: 'reconcile-written-off-sales',
      retryDelaySeconds: 60,
      retriesMax: 2,
      timetable: '*/10 * * * *',
      run: () => reconcileWrittenOff(services),
    },
    {
      name: 'reconcile',
      retryDelaySeconds: 60,
      retriesMax: 2,
      timetable: '*/10 * * * *',
      run: () => reconcileDueDays(services),
    },
    {
      name: 'forget-old-sale-requests',
      retryDelaySeconds: 60,
      retriesMax: 3,
      timetable: '23 4 * * *',
      run: () => deleteOldSaleRequests(services.db, addSeconds(services.clock.now(), -KEY_LIFETIME_SECONDS)),
    },
  ]
}

/**
 * Looks at what is open, and comes back when the next outcome is due, if that is before the timetable does. Also called at
 * the start of a process, for what a crash left.
 */
export async function resolveAndComeBack(services: PaymentServices): Promise<void> {
  const { db, clock, timings } = services
  await resolveOperations(services)
  const next = await findNextInquiryAt(db, timings)
  if (next === null || next > addSeconds(clock.now(), TIMETABLE_SECONDS)) return
  await transaction(db, (tx) => services.resolveSoon(tx, next))
}
