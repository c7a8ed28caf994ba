import { transaction } from '../db/transaction.ts'
import type { JobKind } from '../jobs/jobs.ts'
import { nextLookAt } from './operation-queries.ts'
import { resolveOperations, sweepGivenUp } from './resolve-operations.ts'
import type { MoneyServices } from './undo-sale.ts'

export const RESOLVE_OPERATIONS = 'resolve-operations'

/** What the worker does for money: every minute and whenever a doubt was written down. */
export function paymentJobs(services: MoneyServices): JobKind<object>[] {
  return [
    {
      name: RESOLVE_OPERATIONS,
      retryDelaySeconds: 5,
      retriesMax: 3,
      timetable: '* * * * *',
      run: () => resolveAndComeBack(services),
    },
    {
      name: 'sweep-given-up-sales',
      retryDelaySeconds: 60,
      retriesMax: 2,
      timetable: '*/10 * * * *',
      run: () => sweepGivenUp(services),
    },
  ]
}

/** Comes back when the next outcome is due; the timetable is only the net for what a crash left. */
async function resolveAndComeBack(services: MoneyServices): Promise<void> {
  await resolveOperations(services)
  const next = await nextLookAt(services.db)
  if (next) await transaction(services.db, (tx) => services.resolveSoon(tx, next))
}
