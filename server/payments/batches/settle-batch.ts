import type { Business } from '../../businesses/business.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { transaction } from '../../db/transaction.ts'
import type { GatewayBatch, SettleResult } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { nextInquiryAt } from '../operation.ts'
import { reconcileWrittenOff } from '../recovery/resolve-operations.ts'
import type { PaymentServices, SendingServices } from '../services.ts'
import { type Batch, batchFailed, batchUnread, GATEWAY_UNAVAILABLE, netOf } from './batch.ts'
import { findBatch, findOpenBatch, lockBatch, openFirstBatches } from './batch-queries.ts'
import { callSettle, inquireBatch } from './call-batch.ts'
import { joinRecorded, type Member } from './member-queries.ts'
import { ambiguousUntil, completeBatch, placeLate } from './place-late.ts'
import { recordFailedSettlement, recordSettlement } from './record-settlement.ts'
import { beginSettlement, scheduleBatchInquiry } from './settlement-queries.ts'

export interface SettleOrder {
  business: Business
  terminal: Terminal
  /** The settlement is refused if the batch has a different net amount; `null` accepts any. */
  expectedNet: Cents | null
}

/**
 * Settles the open batch of a terminal. There are three steps, as for a charge: the intent, including everything
 * recorded so far, is committed before the gateway is called. An unknown outcome is resolved by inquiry, never by
 * settling whatever batch is open then.
 *
 * @throws ApiError `conflict`; `batch_failed` if the gateway did not settle, or its result is unknown
 * @see REF-15, REF-16, REF-20, REF-21
 */
export async function settleBatch(services: SendingServices, order: SettleOrder): Promise<Batch> {
  const { business, terminal } = order
  const open = await openBatch(services, business, terminal)
  requireOpen(open)
  // An approval that appears after its batch is settled can only be refunded.
  await reconcileWrittenOff(services, terminal.id)
  const { confirmed } = await placeLate(services, terminal, open)
  const theirs = await findTheirs(services, order)
  const begun = await begin(services, { open, theirs, confirmed })
  const result = await callSettle(services, terminal, { batch: theirs.name, deadlineAt: begun.deadlineAt }, (late) =>
    recordLate(services, begun.batch, late),
  )
  services.faults.reach('after:gateway_result')
  const settled = await recordResult(services, begun.batch, result)
  services.faults.reach('after:result_commit')
  await completeBatch(services, terminal, settled).catch((error: unknown) =>
    services.log.warn({ err: error, batch: settled.id }, 'payments recorded during a settlement are placed later'),
  )
  return settled
}

/** Returns the batch of a terminal that is not settled; opens the first one if needed. */
export async function openBatch(
  { db, clock }: Pick<PaymentServices, 'db' | 'clock'>,
  business: Business,
  terminal: Terminal,
): Promise<Batch> {
  const found = await findOpenBatch(db, business.id, terminal.id)
  if (found) return found
  await openFirstBatches(db, business.id, businessNow(clock, business))
  const batch = await findOpenBatch(db, business.id, terminal.id)
  if (!batch) throw new Error('a terminal has no open batch')
  return batch
}

function requireOpen({ status }: Batch): void {
  if (status === 'open') return
  throw new ApiError('conflict', { message: 'A settlement of this batch is under way. Wait for its outcome.' })
}

/** Returns the open batch of the gateway, if its net amount is what the caller expects. */
async function findTheirs(services: SendingServices, { terminal, expectedNet }: SettleOrder): Promise<GatewayBatch> {
  const theirs = await inquireBatch(services, terminal)
  if (theirs.found === 'indeterminate') throw batchUnread(theirs)
  const net = theirs.found ? netOf(theirs.batch.totals) : 0
  if (expectedNet !== null && expectedNet !== net) {
    const amount = `${decimalFromCents(net as Cents)} ${terminal.currency}`
    throw new ApiError('conflict', { message: `The net amount of the batch is ${amount}, not what was expected` })
  }
  if (theirs.found) return theirs.batch
  throw batchFailed('The batch was not settled', { code: 'batch_empty', message: 'it is empty' })
}

interface Intended {
  open: Batch
  theirs: GatewayBatch
  confirmed: Member[]
}

/** Step 1: marks the batch as settling, and puts everything recorded so far into it. */
async function begin(
  services: SendingServices,
  { open, theirs, confirmed }: Intended,
): Promise<{ batch: Batch; deadlineAt: Date }> {
  const { db, clock, timings } = services
  const sentAt = clock.now()
  const deadlineAt = addSeconds(sentAt, timings.responseMs / 1000)
  const until = await ambiguousUntil(services, open)
  services.faults.reach('before:intent_commit')
  const batch = await transaction(db, async (tx) => {
    const locked = await lockBatch(tx, open)
    if (!locked || !(await beginSettlement(tx, locked, { gatewayBatch: theirs.name, sentAt, deadlineAt })))
      return undefined
    await joinRecorded(tx, locked, { ambiguousUntil: until, confirmed })
    return findBatch(tx, open.businessId, open.id)
  })
  if (!batch)
    throw new ApiError('conflict', { message: 'A settlement of this batch is under way. Wait for its outcome.' })
  services.faults.reach('after:intent_commit')
  return { batch, deadlineAt }
}

/** Step 3: records the result. @throws ApiError `batch_failed` */
async function recordResult(services: SendingServices, batch: Batch, result: SettleResult): Promise<Batch> {
  if (result.outcome === 'settled') {
    const settled = await recordSettlement(services, batch, result.batch)
    if (settled) return settled
  }
  if (result.outcome === 'refused') {
    await recordFailedSettlement(services, batch)
    throw batchFailed('The batch was not settled', result)
  }
  if (result.outcome === 'not_sent') {
    await recordFailedSettlement(services, batch)
    throw batchFailed('The batch was not settled', GATEWAY_UNAVAILABLE)
  }
  return unlessDecided(services, batch)
}

/** Returns the batch if another writer has settled it. Otherwise, the outcome is unknown: throws `batch_failed`. */
async function unlessDecided(services: SendingServices, batch: Batch): Promise<Batch> {
  const { db, clock, timings } = services
  const now = clock.now()
  const at = nextInquiryAt(batch.sentAt ?? now, now, timings.scale)
  await scheduleBatchInquiry(db, batch, { at, openSince: null, needsAttention: false })
  services.count('batch_in_doubt')
  const current = await findBatch(db, batch.businessId, batch.id)
  if (current?.status === 'settled') return current
  throw batchFailed('The settlement could not be confirmed yet', {
    code: 'gateway_timeout',
    message: 'it is being resolved; the batch shows its outcome',
  })
}

/** Recovery claims a settlement at most this often in the moment between reading and writing it. */
const LATE_RESULT_READS_MAX = 5

/** Records a settlement whose result arrived after the 15 seconds, whoever owns it now. */
async function recordLate(
  services: PaymentServices,
  { businessId, id, sentAt }: Batch,
  late: SettleResult,
): Promise<void> {
  if (late.outcome !== 'settled') return
  for (let reads = 0; reads < LATE_RESULT_READS_MAX; reads++) {
    const batch = await findBatch(services.db, businessId, id)
    if (batch?.status !== 'settling' || batch.sentAt?.getTime() !== sentAt?.getTime()) return
    if (await recordSettlement(services, batch, late.batch)) return
  }
}
