import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { recordEvent } from '../../events/event-queries.ts'
import type { GatewayBatch } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { idBefore } from '../../lib/ids.ts'
import type { PaymentServices } from '../services.ts'
import { type Batch, batchObject } from './batch.ts'
import { boundAfter, findBatch, openNextBatch } from './batch-queries.ts'
import { summarize } from './member-queries.ts'
import { recordNotSettled, recordSettled } from './settlement-queries.ts'

/** Maximum age of the id of a payment that is recorded while its batch is being settled. */
const RECORDING_MS = 900_000
/** After this time, no process still waits for the result of a sale that was sent before the settlement. */
const FIRST_INQUIRY_SECONDS = 60

/**
 * Records that the batch is settled, and opens the next one in the same transaction.
 *
 * @returns `null` if another writer has decided the outcome first
 */
export async function recordSettlement(
  services: PaymentServices,
  batch: Batch,
  settled: GatewayBatch,
): Promise<Batch | null> {
  const { db, clock, timings } = services
  const business = await findBusiness(db, batch.businessId)
  if (!business) throw new Error('the business of a batch is missing')
  const recordedAt = clock.now()
  const settledAt = businessNow(clock, business)
  const begunMs = Math.max(0, recordedAt.getTime() - (batch.sentAt ?? recordedAt).getTime())
  const completeAt = addSeconds(recordedAt, FIRST_INQUIRY_SECONDS * timings.scale)
  const isWritten = await transaction(db, async (tx) => {
    if (!(await recordSettled(tx, batch, settled, { settledAt, recordedAt, completeAt }))) return false
    const afterPaymentId = await boundAfter(tx, batch, idBefore(begunMs + RECORDING_MS))
    await openNextBatch(tx, { ...batch, afterPaymentId, createdAt: settledAt })
    const after = await findBatch(tx, batch.businessId, batch.id)
    if (!after) throw new Error('a settled batch is missing')
    await recordEvent(tx, eventOf(after, 'batch.settled', batchObject(after, await summarize(tx, after)), settledAt))
    return true
  })
  if (!isWritten) return null
  services.count('batch_settled')
  return (await findBatch(db, batch.businessId, batch.id)) ?? null
}

/**
 * Records that the settlement provably did nothing, and reopens the batch.
 *
 * @returns `false` when another writer has decided the outcome first
 */
export async function recordFailedSettlement(services: PaymentServices, batch: Batch): Promise<boolean> {
  const { db, clock } = services
  const business = await findBusiness(db, batch.businessId)
  if (!business) throw new Error('the business of a batch is missing')
  const isWritten = await transaction(db, async (tx) => {
    if (!(await recordNotSettled(tx, batch, clock.now()))) return false
    const after: Batch = { ...batch, status: 'open' }
    const object = batchObject(after, await summarize(tx, after))
    await recordEvent(tx, eventOf(after, 'batch.settle_failed', object, businessNow(clock, business)))
    return true
  })
  if (isWritten) services.count('batch_settle_failed')
  return isWritten
}

function eventOf(
  { businessId, id }: Batch,
  type: 'batch.settled' | 'batch.settle_failed',
  object: object,
  createdAt: Date,
): NewEvent {
  return newEvent({ businessId, type, objectId: id, data: { object }, createdAt })
}
