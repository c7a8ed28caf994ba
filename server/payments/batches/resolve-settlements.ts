import type { Terminal } from '../../businesses/terminal.ts'
import { findTerminalById } from '../../businesses/terminal-queries.ts'
import { addSeconds } from '../../lib/clock.ts'
import { isNotFoundFinal, needsAttention, nextInquiryAt } from '../operation.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch } from './batch.ts'
import { findBatch } from './batch-queries.ts'
import { inquireBatch } from './call-batch.ts'
import { completeBatch } from './place-late.ts'
import { recordFailedSettlement, recordSettlement } from './record-settlement.ts'
import { claimSettlements, scheduleBatchInquiry } from './settlement-queries.ts'

const LIMIT = 50
/** Lease of a claim, longer than any wait in a round. After it, another process takes over from one that crashed. */
const LEASE_SECONDS = 120

/**
 * Inquires about every settlement whose outcome is unknown and that no caller waits for. A settlement is never sent
 * again automatically: if it provably did nothing, its batch is open again.
 *
 * @returns the number of settlements inquired about
 * @see REF-21
 */
export async function resolveSettlements(services: PaymentServices): Promise<number> {
  const { db, clock, timings, log } = services
  const now = clock.now()
  const abandonedBefore = addSeconds(now, -timings.wireMs / 1000)
  const lease = addSeconds(now, LEASE_SECONDS * timings.scale)
  const due = await claimSettlements(db, { now, abandonedBefore, lease, limit: LIMIT })
  for (const { businessId, id } of due) {
    await resolveSettlement(services, businessId, id).catch((error: unknown) =>
      log.error({ err: error, batch: id }, 'a settlement could not be resolved'),
    )
  }
  return due.length
}

async function resolveSettlement(services: PaymentServices, businessId: string, id: string): Promise<void> {
  const { db } = services
  const batch = await findBatch(db, businessId, id)
  const terminal = batch && (await findTerminalById(db, businessId, batch.terminalId))
  if (!batch?.gatewayBatch || !terminal) throw new Error('the terminal of a batch is missing')
  const finding = await inquireBatch(services, terminal, batch.gatewayBatch)
  if (finding.found === true && finding.batch.state === 'settled') {
    const settled = await recordSettlement(services, batch, finding.batch)
    if (settled) await completeBatch(services, terminal, settled)
    return
  }
  if (finding.found !== true) return stillOpen(services, batch, batch.openSince)
  if (isFinallyOpen(services, terminal, batch)) return void (await recordFailedSettlement(services, batch))
  await stillOpen(services, batch, batch.openSince ?? services.clock.now())
}

/** Whether "open" is final. Like "not found" for a sale, it is not while the request may still arrive (REC-8). */
function isFinallyOpen({ gateways, clock, timings }: PaymentServices, terminal: Terminal, batch: Batch): boolean {
  const { deadlineAt, openSince } = batch
  if (deadlineAt === null) throw new Error('a settlement has no deadline')
  const { notFoundFinalAfterMs } = gateways(terminal.gateway).capabilities
  const sent = { deadlineAt, notFoundSince: openSince }
  return isNotFoundFinal(sent, clock.now(), { notFoundFinalAfterMs, agreeingMs: timings.agreeingMs })
}

async function stillOpen(services: PaymentServices, batch: Batch, openSince: Date | null): Promise<void> {
  const { db, clock, timings, log } = services
  const now = clock.now()
  const sentAt = batch.sentAt ?? now
  const attention = needsAttention(sentAt, now, timings.scale)
  if (attention) log.error({ batch: batch.id }, 'the outcome of a settlement is still unknown after a day')
  const at = nextInquiryAt(sentAt, now, timings.scale)
  await scheduleBatchInquiry(db, batch, { at, openSince, needsAttention: attention })
}
