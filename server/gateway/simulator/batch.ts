import { deliveryOf } from './inquire.ts'
import type { Batch, Ledger } from './ledger.ts'
import type { Parts, Reply } from './record.ts'
import { settleBatch } from './settle-batch.ts'
import type { BatchBody, BatchResponse, BatchView, GatewaySettleBody, GatewaySettleResponse } from './wire.ts'

/** Returns the open batch of a terminal and currency, or the named one. */
export function batchOf({ ledger, script }: Parts, terminal: string, body: BatchBody): Reply<BatchResponse> {
  const arranged = script.take({ op: 'batch', terminal, merchantRef: '' })
  const batch = find(ledger, terminal, body)
  const found: BatchResponse = batch ? { found: true, batch: viewOf(ledger, batch) } : { found: false }
  return {
    response: arranged?.outcome === 'indeterminate' ? { error: 'TRY AGAIN LATER' } : found,
    delivery: deliveryOf(arranged),
    waitMs: script.latencyMs(),
  }
}

/** Settles the named batch. Idempotent: a settled batch is returned unchanged. */
export function settleNamed(parts: Parts, terminal: string, body: GatewaySettleBody): Reply {
  const { ledger, script } = parts
  const batch = find(ledger, terminal, body)
  const replyWith = (response: GatewaySettleResponse): Reply => ({
    response,
    delivery: 'response',
    waitMs: script.latencyMs(),
  })
  if (!batch) return replyWith({ ok: false, error: 'no_such_batch', message: 'NO SUCH BATCH AT THIS TERMINAL' })
  if (batch.closed) return replyWith({ ok: true, batch: viewOf(ledger, batch) })
  const { response, ...reply } = settleBatch(parts, { terminal, currency: body.currency })
  if (!('ok' in response) || !response.ok) return { ...reply, response }
  return { ...reply, response: { ok: true, batch: viewOf(ledger, batch) } }
}

function find(ledger: Ledger, terminal: string, { currency, batch: id }: BatchBody): Batch | undefined {
  const batch = id === undefined ? ledger.openBatch(terminal, currency) : ledger.batch(id)
  return batch?.terminal === terminal && batch.currency === currency ? batch : undefined
}

function viewOf(ledger: Ledger, batch: Batch): BatchView {
  const rows = ledger.rows.filter((row) => row.batch === batch.id)
  const held = rows.filter(({ op, approvedAmount }) => op === 'sale' && approvedAmount > 0)
  const sum = (some: typeof rows) => some.reduce((total, { approvedAmount }) => total + approvedAmount, 0)
  const [sales, voids] = [held.filter((row) => !ledger.isVoided(row)), held.filter((row) => ledger.isVoided(row))]
  const refunds = rows.filter(({ op, approvedAmount }) => op === 'refund' && approvedAmount > 0)
  const settlement = rows.find(({ op, recorded }) => op === 'settle' && recorded)
  return {
    name: batch.id,
    state: batch.closed ? 'settled' : 'open',
    salesCount: sales.length,
    salesAmount: sum(sales),
    refundsCount: refunds.length,
    refundsAmount: sum(refunds),
    voidsCount: voids.length,
    voidsAmount: sum(voids),
    reference: settlement?.gatewayRef ?? null,
  }
}
