import { transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { nextInquiryAt, type Operation } from '../operation.ts'
import { finalize } from '../operation-queries.ts'
import { fenceOf, type MoneyServices } from '../recovery/reverse-sale.ts'

/** Only the gateway knows now whether money moved. Recorded together with the job that resolves it. */
export async function recordUnknownOutcome(
  services: MoneyServices,
  operation: Operation,
  message: string,
): Promise<void> {
  const { db, clock, timings } = services
  const now = clock.now()
  await transaction(db, async (tx) => {
    await finalize(tx, { ...fenceOf(operation), trigger: 'silence', message, now })
    await services.resolveSoon(tx, nextInquiryAt(operation.sentAt, now, timings.scale))
  })
  services.count('in_doubt')
}

/** What a caller is told until the outcome is known. */
export function unknownOutcome({ sessionId }: Pick<Operation, 'sessionId'>): ApiError {
  const advice =
    sessionId === null
      ? 'Should it turn out to be approved, it is reversed.'
      : 'Do not pay again; ask for the status of the session.'
  return new ApiError('gateway_timeout', {
    message: `The payment could not be confirmed yet. ${advice}`,
    extra: { charged: null },
  })
}
