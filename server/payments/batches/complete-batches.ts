import { findTerminalById } from '../../businesses/terminal-queries.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch } from './batch.ts'
import { findOpenBatch } from './batch-queries.ts'
import { placeLate } from './place-late.ts'
import { listToComplete, scheduleCompletion } from './settlement-queries.ts'

// After a settlement, the settling process assigns payments and refunds that were recorded meanwhile to their batch. A
// sale may be recorded even later, or the process may crash before that, so recovery inquires again.

const LIMIT = 50
/** Time of the second inquiry, by which most unknown outcomes are resolved. */
const SECOND_INQUIRY_SECONDS = 900
/** After this time, members whose batch the gateway has not reported are left to the next settlement. */
const GIVE_UP_SECONDS = 93_600

/**
 * Assigns to their batch the payments and refunds that were recorded during its settlement or later.
 *
 * @see REF-20
 */
export async function completeBatches(services: PaymentServices): Promise<void> {
  const { db, clock, log } = services
  for (const settled of await listToComplete(db, { now: clock.now(), limit: LIMIT })) {
    const isComplete = await placeMembers(services, settled).catch((error: unknown) => {
      log.error({ err: error, batch: settled.id }, 'what was recorded during a settlement could not be placed')
      return false
    })
    await scheduleCompletion(db, settled, nextInquiryAt(services, settled, isComplete))
  }
}

/** @returns `false` if the gateway did not report the batch of a member */
async function placeMembers(services: PaymentServices, { businessId, terminalId }: Batch): Promise<boolean> {
  const { db } = services
  const [terminal, open] = [
    await findTerminalById(db, businessId, terminalId),
    await findOpenBatch(db, businessId, terminalId),
  ]
  return !terminal || !open || (await placeLate(services, terminal, open)).isComplete
}

function nextInquiryAt({ clock, timings }: PaymentServices, { recordedAt }: Batch, isComplete: boolean): Date | null {
  const now = clock.now()
  const after = (seconds: number) => addSeconds(recordedAt ?? now, seconds * timings.scale)
  const second = after(SECOND_INQUIRY_SECONDS)
  if (now < second) return second
  if (isComplete || now >= after(GIVE_UP_SECONDS)) return null
  return addSeconds(now, SECOND_INQUIRY_SECONDS * timings.scale)
}
