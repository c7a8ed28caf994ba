import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../db/database-errors.ts'
import type { Operation } from './operation.ts'
import type { PaymentServices } from './services.ts'

const REPEAT_AFTER_MS = 200
const WRITES_MIN = 2

/**
 * Records a result. While the database is away, the write is repeated until the deadline of the caller; the write must
 * be fenced, so that a repetition detects the commit of an earlier one whose acknowledgement was lost.
 *
 * @returns what `write` returned; `null` if no write succeeded
 * @see PAY-9, PAY-10
 */
export async function whileCallerWaits<Written>(
  { clock, log }: Pick<PaymentServices, 'clock' | 'log'>,
  operation: Operation,
  write: () => Promise<Written>,
): Promise<Written | null> {
  for (let writes = 1; ; writes++) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      log.error({ err: error, operation: operation.id, writes }, 'the result of the gateway could not be recorded')
      if (writes >= WRITES_MIN && clock.now() >= operation.deadlineAt) return null
    }
    await sleep(REPEAT_AFTER_MS)
  }
}
