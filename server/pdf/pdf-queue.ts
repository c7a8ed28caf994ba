import { assertNoTransaction } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import { createFairQueue, NobodyWaits, QueueFull } from '../lib/fair-queue.ts'

const queue = createFairQueue({ waitingMax: 200, waitingOfOwnerMax: 20 })
/** Generating a document takes at most half a second of CPU time. */
const RETRY_SECONDS = '5'

/**
 * Generates a document when its turn comes: one at a time in this process, with businesses taking turns. `make` also
 * reads what is printed, so that waiting documents take no memory.
 *
 * @param isGone whether the caller has disconnected
 * @throws ApiError `unavailable` if too many are already waiting
 * @see DSH-123
 */
export async function makePdf<Result>(
  businessId: string,
  make: () => Promise<Result>,
  isGone?: () => boolean,
): Promise<Result> {
  assertNoTransaction('Making a PDF')
  try {
    return await queue.run(businessId, make, isGone)
  } catch (error) {
    if (!(error instanceof QueueFull || error instanceof NobodyWaits)) throw error
    throw new ApiError('unavailable', {
      message: 'Too many PDFs are being made. Try again in a few seconds.',
      headers: { 'retry-after': RETRY_SECONDS },
      cause: error,
    })
  }
}
