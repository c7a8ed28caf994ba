import { assertNoTransaction } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import { createFairQueue, NobodyWaits, QueueFull } from '../lib/fair-queue.ts'

const queue = createFairQueue({ waitingMax: 200, waitingOfOwnerMax: 20 })
/** A document takes at most half a second of a processor. */
const RETRY_SECONDS = '5'

/**
 * Makes a document when its turn comes: one at a time in this process, in turns of the businesses. `make` also reads
 * what is printed, so that what waits takes no memory.
 *
 * @param isGone whether the caller has hung up
 * @throws ApiError `unavailable` when too many wait already
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
