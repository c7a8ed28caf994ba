import { findTerminalById } from '../../businesses/terminal-queries.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch } from './batch.ts'
import { findOpenBatch } from './batch-queries.ts'
import { placeLate } from './place-late.ts'
import { listToComplete, scheduleCompletion } from './settlement-queries.ts'

// What is recorded during a settlement is placed by the process that settles, when that is done. A sale may be recorded
// after that, and the process may die before: recovery inquires again.

const LIMIT = 50
/** Most unknown outcomes are resolved by then. */
const SECOND_INQUIRY_SECONDS = 900
/** What the gateway does not say until then, the next settlement inquires about. */
const GIVE_UP_SECONDS = 93_600

/**
 * Puts into their batch what was recorded during its settlement, and after.
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

/** @returns `false` when the gateway did not say of one in which batch it is */
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
