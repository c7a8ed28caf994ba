import type { Terminal } from '../../businesses/terminal.ts'
import { addSeconds } from '../../lib/clock.ts'
import { inGroups } from '../in-groups.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch } from './batch.ts'
import { batchDifference } from './batch-difference.ts'
import { findByGatewayName, findLastSettled, findOpenBatch } from './batch-queries.ts'
import { joinBatch, listAmbiguous, type Member, summarize } from './member-queries.ts'
import { sumReversals } from './reversal-queries.ts'

// Which batch a payment is in. The rule, REF-20: a payment belongs to the batch in which the gateway has its sale.
// - Recorded here before a settlement is sent: it was approved before, so it is settled by it.
// - Its sale sent after the settlement was recorded: the next batch.
// - Recorded after, but sent before: only the gateway knows, and it is asked.

/** Clocks of processes differ. Asking too often is harmless: the gateway's word is always right. */
const MARGIN_SECONDS = 10

/** Until when a sale may have been taken by the last settlement; `null` when there was none. */
export async function ambiguousUntil({ db }: PaymentServices, { businessId, terminalId }: Batch): Promise<Date | null> {
  const last = await findLastSettled(db, businessId, terminalId)
  return last?.recordedAt ? addSeconds(last.recordedAt, MARGIN_SECONDS) : null
}

/**
 * Puts what was recorded during an earlier settlement into its batch.
 *
 * @param open the batch of the terminal that is not settled
 * @returns `confirmed`: those that the gateway has in its open batch. `isComplete` is `false` when the gateway did not
 *   return the batch of one, which is left for the next time
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

/** Called when a batch is settled: places what was recorded meanwhile, and compares the batch with the gateway's. */
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
