import { addSeconds } from '../../lib/clock.ts'
import { needsAttention, nextInquiryAt, type Operation } from '../operation.ts'
import { claimOpenOperations, listWrittenOff, scheduleInquiry } from '../operation-queries.ts'
import { reverseLateApproval } from './late-approval.ts'
import { type Resolution, resolveReversal } from './resolve-reversal.ts'
import { resolveByInquiry } from './resolve-sale.ts'
import { inquire, type MoneyServices } from './reverse-sale.ts'

const BATCH = 50
/** Longer than everything a round may wait for; a recovery process that dies is followed by another after it. */
const LEASE_SECONDS = 120
/** A batch is open for a day at the most; a little more, for clocks. */
const SWEEP_HOURS = 26
const SWEEP_LIMIT = 500

/**
 * Asks the gateway about every operation whose outcome is open and whose sender is gone, and settles those it can.
 *
 * @returns how many it looked at
 */
export async function resolveOperations(services: MoneyServices): Promise<number> {
  const { db, clock, timings } = services
  const now = clock.now()
  const abandonedBefore = addSeconds(now, -timings.wireMs / 1000)
  const lease = addSeconds(now, LEASE_SECONDS * timings.scale)
  const due = await claimOpenOperations(db, { now, abandonedBefore, limit: BATCH, lease })
  await Promise.all(due.map((operation) => resolveOperation(services, operation)))
  return due.length
}

/** One that fails keeps its lease and is looked at again after it; the others go on. */
async function resolveOperation(services: MoneyServices, operation: Operation): Promise<void> {
  try {
    const outcome = await (operation.kind === 'sale' ? resolveSale : resolveReversal)(services, operation)
    if (outcome !== 'settled') await stillOpen(services, operation, outcome.notFoundSince)
  } catch (error) {
    services.log.error({ err: error, operation: operation.id }, 'an open operation could not be resolved')
  }
}

async function resolveSale(services: MoneyServices, sale: Operation): Promise<Resolution> {
  const finding = await inquire(services, sale)
  if (await resolveByInquiry(services, sale, finding)) return 'settled'
  if (finding.found === false) return { notFoundSince: sale.notFoundSince ?? services.clock.now() }
  return { notFoundSince: finding.found === true ? null : sale.notFoundSince }
}

async function stillOpen(services: MoneyServices, operation: Operation, notFoundSince: Date | null): Promise<void> {
  const { db, clock, timings, log } = services
  const now = clock.now()
  const attention = needsAttention(operation.sentAt, now, timings.scale)
  if (attention)
    log.error({ operation: operation.id }, 'the outcome of an operation is unknown after a day: look at it')
  await scheduleInquiry(db, operation, {
    at: nextInquiryAt(operation.sentAt, now, timings.scale),
    notFoundSince,
    needsAttention: attention,
  })
}

/**
 * The net under everything else (reliability.md R12): asks again about what was written off, and voids an approval that turned
 * up late. Finding one means that a rule above did not hold, so it alarms.
 */
export async function reconcileWrittenOff(services: MoneyServices): Promise<void> {
  const { db, clock } = services
  const since = addSeconds(clock.now(), -SWEEP_HOURS * 3_600)
  for (const sale of await listWrittenOff(db, since, SWEEP_LIMIT)) {
    const finding = await inquire(services, sale)
    if (finding.found !== true) continue
    const { state } = finding.transaction
    if (state === 'approved' || state === 'partial') await reverseLateApproval(services, sale, finding.transaction)
  }
}
