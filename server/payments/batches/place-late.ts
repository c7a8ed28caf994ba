import type { Terminal } from '../../businesses/terminal.ts'
import { addSeconds } from '../../lib/clock.ts'
import { inGroups } from '../in-groups.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch } from './batch.ts'
import { batchDifference } from './batch-difference.ts'
import { findByGatewayName, findLastSettled, findOpenBatch } from './batch-queries.ts'
import { joinBatch, listAmbiguous, type Member, summarize } from './member-queries.ts'
import { sumReversals } from './reversal-queries.ts'

// Which batch a payment is in. The rule (REF-20): a payment belongs to the batch in which the gateway has its sale.
// - A payment recorded before a settlement is sent was approved before it, so that settlement includes it.
// - A payment whose sale was sent after the settlement was recorded belongs to the next batch.
// - If the sale was sent before and the payment recorded after that, only the gateway knows: it is inquired about.

/** Allows for clock differences between processes. Needless inquiries are harmless: the gateway is always right. */
const MARGIN_SECONDS = 10

/** Returns the time until which the last settlement may have included a sale; `null` if there was no settlement. */
export async function ambiguousUntil({ db }: PaymentServices, { businessId, terminalId }: Batch): Promise<Date | null> {
  const last = await findLastSettled(db, businessId, terminalId)
  return last?.recordedAt ? addSeconds(last.recordedAt, MARGIN_SECONDS) : null
}

/**
 * Assigns the payments and refunds that were recorded during an earlier settlement to their batch.
 *
 * @param open the batch of the terminal that is not settled
 * @returns `confirmed`: members that are in the open batch of the gateway. `isComplete` is `false` if the gateway did
 *   not report the batch of a member; that member is left for the next call
 */
export async function placeLate(
  services: PaymentServices,
  terminal: Terminal,
  open: Batch,
): Promise<{ confirmed: Member[]; isComplete: boolean }> {
  const until = await ambiguousUntil(services, open)
  const confirmed: Member[] = []
  if (until === null) return { confirmed, isComplete: true }
  let isComplete = true
  await inGroups(await listAmbiguous(services.db, open, until), async (member) => {
    const earlier = await batchOf(services, terminal, { open, member })
    if (earlier === 'open') confirmed.push(member)
    else if (earlier === 'unknown') isComplete = false
    else await joinBatch(services.db, earlier, member)
  })
  return { confirmed, isComplete }
}

async function batchOf(
  { db, gateways, timings }: PaymentServices,
  terminal: Terminal,
  { open, member }: { open: Batch; member: Member },
): Promise<Batch | 'open' | 'unknown'> {
  const finding = await gateways(terminal.gateway)
    .inquire({
      terminal: { id: terminal.merchantCode, currency: terminal.currency },
      merchantRef: member.merchantRef,
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch(() => ({ found: 'indeterminate' as const }))
  if (finding.found !== true) return 'unknown'
  const { batch, batchOpen } = finding.transaction
  if (batchOpen) return 'open'
  if (batch !== null) return (await findByGatewayName(db, open, batch)) ?? 'unknown'
  return (await findLastSettled(db, open.businessId, open.terminalId)) ?? 'unknown'
}

/** Called once a batch is settled: assigns members recorded meanwhile, and compares the batch with the gateway's. */
export async function completeBatch(services: PaymentServices, terminal: Terminal, settled: Batch): Promise<void> {
  const open = await findOpenBatch(services.db, settled.businessId, settled.terminalId)
  if (open) await placeLate(services, terminal, open)
  const { totals: theirs } = settled
  const { totals: ours } = await summarize(services.db, settled)
  const reversals = (await sumReversals(services.db, settled.businessId, [settled]))(settled)
  if (theirs === null || batchDifference(ours, reversals, theirs) === null) return
  services.log.warn({ batch: settled.id, ours, reversals, theirs }, 'a settled batch differs from what is recorded')
  services.count('batch_differs')
}
