import { BEHAVIOURS } from './behaviours.ts'
import type { Batch, Ledger } from './ledger.ts'
import { type Parts, type Reply, record } from './record.ts'
import type { SettleBody, SettleResponse } from './wire.ts'

/** Settles the open batch of a terminal and currency. Its sales can no longer be voided. */
export function settleBatch(parts: Parts, { terminal, currency }: SettleBody): Reply {
  const { ledger, script } = parts
  const behaviour = script.behaviour({ op: 'settle', terminal, merchantRef: '' }) ?? BEHAVIOURS.approved
  const batch = ledger.openBatch(terminal, currency)
  const { count, amount } = totals(ledger, batch)
  const replyWith = (response: SettleResponse): Reply => ({
    response,
    delivery: behaviour.delivery,
    waitMs: script.latencyMs(),
  })
  if (!batch || count === 0) return replyWith(failure('batch_empty', 'NOTHING TO SETTLE'))
  if (behaviour.verdict.outcome !== 'approved') return replyWith(failure('settle_failed', behaviour.verdict.message))

  const { waitMs, row } = record(parts, { op: 'settle', terminal, currency, merchantRef: batch.id, amount }, behaviour)
  const response: SettleResponse = { ok: true, batch: batch.id, count, amount }
  return { response, delivery: behaviour.delivery, waitMs, ...(row && { row }) }
}

function failure(error: 'batch_empty' | 'settle_failed', message: string): SettleResponse {
  return { ok: false, error, message }
}

/** Returns the totals of a batch: sales that are not voided, minus refunds; `amount` is in cents. */
function totals(ledger: Ledger, batch: Batch | undefined): { count: number; amount: number } {
  let count = 0
  let amount = 0
  for (const row of ledger.rows) {
    if (row.batch !== batch?.id || row.approvedAmount === 0) continue
    const sign = row.op === 'refund' ? -1 : row.op === 'sale' && !ledger.isVoided(row) ? 1 : 0
    count += Math.abs(sign)
    amount += sign * row.approvedAmount
  }
  return { count, amount }
}
