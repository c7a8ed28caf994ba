import { isDeepStrictEqual } from 'node:util'
import type {
  BatchFigures,
  BatchPayment,
  Finding,
  ListedBatch,
  OpenBatch,
  SettlePreview,
} from '../../../contract/dashboard/batches-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import { type Batch, type BatchSummary, batchObject, EMPTY_TOTALS, netOf } from '../../payments/batches/batch.ts'
import { batchDifference } from '../../payments/batches/batch-difference.ts'
import { nextClose } from '../../payments/batches/daily-close.ts'
import type { OpenBatch as LookedAt } from '../../payments/batches/look-at-batch.ts'
import { type Payment, paymentObject } from '../../payments/payment.ts'
import type { RecordedFinding } from '../../payments/reconciliation/finding.ts'
import type { PayerRow } from './batch-list-queries.ts'

// Objects of the merchant API; what only the pages show is under `view`.

/** @param reversals totals of what Rialto itself reversed in the batch */
export function listedBatch(batch: Batch, summary: BatchSummary, reversals: BatchTotals): ListedBatch {
  const difference = batch.totals && batchDifference(summary.totals, reversals, batch.totals)
  const isNothing = isDeepStrictEqual(reversals, EMPTY_TOTALS)
  return {
    ...batchObject(batch, summary),
    view: { difference: difference && figuresOf(difference), reversals: isNothing ? null : figuresOf(reversals) },
  }
}

const figuresOf = (totals: BatchTotals): BatchFigures => ({
  sales_count: totals.salesCount,
  sales_amount: totals.salesAmount,
  refunds_count: totals.refundsCount,
  refunds_amount: totals.refundsAmount,
  voids_count: totals.voidsCount,
  voids_amount: totals.voidsAmount,
  net_amount: netOf(totals),
})

/** @param gatewaySettles whether the gateway settles batches on its own schedule */
export function openBatch(
  { batch, isNew }: LookedAt,
  summary: BatchSummary,
  { business, clock, gatewaySettles }: { business: Business; clock: Clock; gatewaySettles: boolean },
): OpenBatch {
  const { batchCloseTime, timeZone } = business
  const closesAt =
    batchCloseTime === null || gatewaySettles ? null : nextClose(batchCloseTime, timeZone, businessNow(clock, business))
  return {
    ...batchObject(batch, summary),
    id: isNew ? null : batch.id,
    view: {
      closes_at: closesAt && epochSeconds(closesAt),
      failed_at: batch.failedAt && epochSeconds(batch.failedAt),
      sent_at: batch.status === 'settling' && batch.sentAt ? epochSeconds(batch.sentAt) : null,
      needs_attention: batch.needsAttention,
      gateway_settles: gatewaySettles,
    },
  }
}

export function settlePreview(
  { batch, isNew }: LookedAt,
  totals: BatchTotals,
  { byBrand }: BatchSummary,
): SettlePreview {
  return {
    object: 'settle_preview',
    batch: isNew ? null : batch.id,
    number: batch.number,
    currency: batch.currency,
    ...figuresOf(totals),
    by_brand: byBrand,
  }
}

export function batchPayment(payment: Payment, payer: PayerRow | undefined): BatchPayment {
  const { name = null, email = null, brand = '', last4 = '' } = payer ?? {}
  return { ...paymentObject(payment), view: { customer_name: name, customer_email: email, card: { brand, last4 } } }
}

export const findingObject = (finding: RecordedFinding): Finding => ({
  id: finding.id,
  object: 'finding',
  kind: finding.kind,
  day: finding.day,
  reference: finding.merchantRef,
  gateway_reference: finding.gatewayRef,
  our_state: finding.ourState,
  our_amount: finding.ourAmount,
  gateway_state: finding.gatewayState,
  gateway_amount: finding.gatewayAmount,
  currency: finding.currency,
  found_at: epochSeconds(finding.foundAt),
})
