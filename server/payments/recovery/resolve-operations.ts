import { addSeconds } from '../../lib/clock.ts'
import { inquire } from '../call-gateway.ts'
import { claimOpenOperation, claimOpenOperations, listWrittenOff } from '../open-operation-queries.ts'
import { needsAttention, nextInquiryAt, type Operation, type OperationKind, type Resolution } from '../operation.ts'
import { findOpenReversal, scheduleInquiry } from '../operation-queries.ts'
import { resolveRefund } from '../refunds/resolve-refund.ts'
import type { PaymentServices } from '../services.ts'
import { resolveVoid } from '../voids/resolve-void.ts'
import { reverseLateApproval } from './late-approval.ts'
import { resolveReversal } from './resolve-reversal.ts'
import { resolveByInquiry } from './resolve-sale.ts'

const BATCH = 50
/** Lease of a claim, longer than any wait in a round. After it, another process takes over from one that crashed. */
const LEASE_SECONDS = 120
/** A batch is open for a day at most; two hours more allow for differing clocks. */
const WRITTEN_OFF_HOURS = 26
const WRITTEN_OFF_LIMIT = 500

/**
 * Inquires about every open operation that no caller is waiting for, and resolves those with a known outcome.
 *
 * @returns the number of operations inquired about
 * @see REC-5 to REC-8
 */
export async function resolveOperations(services: PaymentServices): Promise<number> {
  const { db, clock, timings } = services
  const now = clock.now()
  const abandonedBefore = addSeconds(now, -timings.wireMs / 1000)
  const lease = addSeconds(now, LEASE_SECONDS * timings.scale)
  const due = await claimOpenOperations(db, { now, abandonedBefore, limit: BATCH, lease })
  await Promise.all(due.map((operation) => resolveOperation(services, operation)))
  return due.length
}

/**
 * Inquires about one open operation now; if that is a sale being reversed, about its reversal.
 *
 * @returns `false` when it is not open, or its sender may still be waiting for the gateway
 */
export async function resolveNow(services: PaymentServices, businessId: string, id: string): Promise<boolean> {
  const { db, clock, timings } = services
  const now = clock.now()
  const reversal = await findOpenReversal(db, businessId, id)
  const operation = await claimOpenOperation(db, {
    businessId,
    id: reversal?.id ?? id,
    abandonedBefore: addSeconds(now, -timings.wireMs / 1000),
    now,
    lease: addSeconds(now, LEASE_SECONDS * timings.scale),
  })
  if (operation) await resolveOperation(services, operation)
  return operation !== undefined
}

const RESOLVE: Record<OperationKind, (services: PaymentServices, operation: Operation) => Promise<Resolution>> = {
  sale: resolveSale,
  reversal_void: resolveReversal,
  reversal_refund: resolveReversal,
  refund: resolveRefund,
  void: resolveVoid,
}

/** Resolves one operation. A failure does not affect the others: the next inquiry follows after the lease. */
async function resolveOperation(services: PaymentServices, operation: Operation): Promise<void> {
  try {
    const outcome = await RESOLVE[operation.kind](services, operation)
    if (outcome !== 'resolved') await stillOpen(services, operation, outcome.notFoundSince)
  } catch (error) {
    services.log.error({ err: error, operation: operation.id }, 'an open operation could not be resolved')
  }
}

async function resolveSale(services: PaymentServices, sale: Operation): Promise<Resolution> {
  const finding = await inquire(services, sale)
  if (await resolveByInquiry(services, sale, finding)) return 'resolved'
  if (finding.found === false) return { notFoundSince: sale.notFoundSince ?? services.clock.now() }
  return { notFoundSince: finding.found === true ? null : sale.notFoundSince }
}

async function stillOpen(services: PaymentServices, operation: Operation, notFoundSince: Date | null): Promise<void> {
  const { db, clock, timings, log } = services
  const now = clock.now()
  const attention = needsAttention(operation.sentAt, now, timings.scale)
  if (attention) log.error({ operation: operation.id }, 'the outcome of an operation is still unknown after a day')
  await scheduleInquiry(db, operation, {
    at: nextInquiryAt(operation.sentAt, now, timings.scale),
    notFoundSince,
    needsAttention: attention,
  })
}

/**
 * Inquires once more about sales that were written off, as a final safeguard, and voids any approval that it finds.
 *
 * @param terminalId limits this to the sales of one terminal, whose batch is about to be settled
 * @see REC-9
 */
export async function reconcileWrittenOff(services: PaymentServices, terminalId: string | null = null): Promise<void> {
  const { db, clock } = services
  const since = addSeconds(clock.now(), -WRITTEN_OFF_HOURS * 3_600)
  for (const sale of await listWrittenOff(db, { since, limit: WRITTEN_OFF_LIMIT, terminalId })) {
    const finding = await inquire(services, sale)
    if (finding.found !== true) continue
    const { state } = finding.transaction
    if (state === 'approved' || state === 'partial') await reverseLateApproval(services, sale, finding.transaction)
  }
}
