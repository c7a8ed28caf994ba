import type { Batch as BatchObject, BatchStatus, CheckoutBatch } from '../../../contract/batch.ts'
import type { BatchTotals, GatewayFailure } from '../../gateway/gateway.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { type Cents, type Currency, decimalFromCents } from '../../lib/money.ts'

/** The payments and refunds of a terminal that are settled together. */
export interface Batch {
  businessId: string
  id: string
  terminalId: string
  number: number
  status: BatchStatus
  currency: Currency
  /** Payments with smaller ids are in earlier batches. */
  afterPaymentId: string
  /** Name of the batch at the gateway; `null` until its first settlement begins. */
  gatewayBatch: string | null
  /** Identifies the owner of a settlement's outcome: a write with a lower epoch changes nothing. */
  epoch: number
  sentAt: Date | null
  deadlineAt: Date | null
  /** When the gateway first reported, since the settlement was sent, that the batch is open; `null` if it has not. */
  openSince: Date | null
  failedAt: Date | null
  /** Last daily close at which the batch was empty; `null` if there was none. */
  closeCheckedAt: Date | null
  /** Whether the outcome of the settlement has been unknown for over a day. */
  needsAttention: boolean
  /** Time of the settlement by the clock of the business; `null` until then. */
  settledAt: Date | null
  /** Real time at which the settlement was recorded; `null` until then. */
  recordedAt: Date | null
  settlementReference: string | null
  /** Totals that the gateway settled; `null` until then. */
  totals: BatchTotals | null
  createdAt: Date
}

export interface BrandTotal {
  brand: string
  count: number
  amount: Cents
}

/** Sums of the payments and refunds of a batch, as recorded by Rialto. */
export interface BatchSummary {
  totals: BatchTotals
  byBrand: BrandTotal[]
  /** Time of the first payment or refund; `null` for an empty batch. */
  openedAt: Date | null
}

export const netOf = ({ salesAmount, refundsAmount }: BatchTotals): Cents => (salesAmount - refundsAmount) as Cents

/**
 * Returns the batch as the merchant API and its events show it. The totals of a settled batch are the gateway's.
 *
 * @see REF-19
 */
export function batchObject(batch: Batch, summary: BatchSummary): BatchObject {
  const totals = batch.totals ?? summary.totals
  return {
    id: batch.id,
    object: 'batch',
    number: batch.number,
    status: batch.status,
    terminal_id: batch.terminalId,
    currency: batch.currency === 'USD' ? 'usd' : 'cad',
    opened_at: summary.openedAt && epochSeconds(summary.openedAt),
    settled_at: batch.settledAt && epochSeconds(batch.settledAt),
    settlement_reference: batch.settlementReference,
    sales_count: totals.salesCount,
    sales_amount: totals.salesAmount,
    refunds_count: totals.refundsCount,
    refunds_amount: totals.refundsAmount,
    voids_count: totals.voidsCount,
    voids_amount: totals.voidsAmount,
    net_amount: netOf(totals),
    by_brand: summary.byBrand,
    created: epochSeconds(batch.createdAt),
  }
}

/** Returns the batch as the checkout API shows it, in major units. @param totals totals of the gateway */
export function checkoutBatch(batch: Batch, totals: BatchTotals, { byBrand, openedAt }: BatchSummary): CheckoutBatch {
  return {
    id: batch.id,
    number: batch.number,
    status: batch.status,
    terminal_id: batch.terminalId,
    currency: batch.currency,
    opened_at: openedAt?.toISOString() ?? null,
    sales_count: totals.salesCount,
    sales_amount: decimalFromCents(totals.salesAmount),
    refunds_count: totals.refundsCount,
    refunds_amount: decimalFromCents(totals.refundsAmount),
    voids_count: totals.voidsCount,
    voids_amount: decimalFromCents(totals.voidsAmount),
    net_amount: decimalFromCents(netOf(totals)),
    by_brand: byBrand.map(({ brand, count, amount }) => ({ brand, count, amount: decimalFromCents(amount) })),
    ...(batch.settledAt && {
      settled_at: batch.settledAt.toISOString(),
      settlement_reference: batch.settlementReference,
    }),
  }
}

const NONE = 0 as Cents
export const EMPTY_TOTALS: BatchTotals = {
  salesCount: 0,
  salesAmount: NONE,
  refundsCount: 0,
  refundsAmount: NONE,
  voidsCount: 0,
  voidsAmount: NONE,
}

/** Failure that is shown instead of a transport error, whose text is meant for operators. */
export const GATEWAY_UNAVAILABLE: GatewayFailure = {
  code: 'gateway_unavailable',
  message: 'the card gateway cannot be reached',
}

/** @param failure failure of an inquiry; its code is `unavailable` if the gateway gave none */
export function batchUnread(failure: GatewayFailure): ApiError {
  return batchFailed('The batch could not be read', failure.code === 'unavailable' ? GATEWAY_UNAVAILABLE : failure)
}

/** @see REF-16 */
export function batchFailed(what: string, { code, message }: GatewayFailure): ApiError {
  return new ApiError('batch_failed', { message: `${what}: ${message}`, extra: { gateway: { code, message } } })
}

export const noSuchBatch = () =>
  new ApiError('not_found', { message: 'No such batch', errors: { id: ['does not exist in this business'] } })
