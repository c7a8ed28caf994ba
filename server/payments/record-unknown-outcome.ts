import { transaction } from '../db/transaction.ts'
import { fenceOf, nextInquiryAt, type Operation } from './operation.ts'
import { finalize } from './outcome-queries.ts'
import type { PaymentServices } from './services.ts'

/** Records that only the gateway knows whether money moved, together with the job that resolves it. */
export async function recordUnknownOutcome(
  services: PaymentServices,
  operation: Operation,
  message: string,
): Promise<void> {
  const { db, clock, timings } = services
  const now = clock.now()
  const next = nextInquiryAt(operation.sentAt, now, timings.scale)
  await transaction(db, async (tx) => {
    await finalize(tx, { ...fenceOf(operation), trigger: 'silence', message, nextInquiryAt: next, now })
    await services.resolveSoon(tx, next)
  })
  services.count('in_doubt')
}
