import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import { newId } from '../../lib/ids.ts'
import type { PaymentServices } from '../services.ts'
import { type Batch, batchUnread, EMPTY_TOTALS } from './batch.ts'
import { ALL_IDS, findOpenBatch } from './batch-queries.ts'
import { inquireBatch } from './call-batch.ts'

/** The batch of a terminal that is not settled, read without writing. */
export interface OpenBatch {
  batch: Batch
  /** Whether the batch has not been opened yet: then it has no row, and its id is not valid. */
  isNew: boolean
}

/** Returns the batch for a page that only reads: viewing the first batch of a terminal does not open it. */
export async function lookAtOpenBatch(
  { db, clock }: Pick<PaymentServices, 'db' | 'clock'>,
  business: Business,
  terminal: Terminal,
): Promise<OpenBatch> {
  const batch = await findOpenBatch(db, business.id, terminal.id)
  return batch
    ? { batch, isNew: false }
    : { batch: firstBatch(business, terminal, businessNow(clock, business)), isNew: true }
}

/**
 * Returns the totals that the gateway would settle now.
 *
 * @throws ApiError `batch_failed`
 */
export async function lookAtBalance(services: PaymentServices, terminal: Terminal): Promise<BatchTotals> {
  const theirs = await inquireBatch(services, terminal)
  if (theirs.found === 'indeterminate') throw batchUnread(theirs)
  return theirs.found ? theirs.batch.totals : EMPTY_TOTALS
}

const firstBatch = (business: Business, terminal: Terminal, createdAt: Date): Batch => ({
  businessId: business.id,
  id: newId(),
  terminalId: terminal.id,
  number: 1,
  status: 'open',
  currency: terminal.currency,
  afterPaymentId: ALL_IDS,
  gatewayBatch: null,
  epoch: 0,
  sentAt: null,
  deadlineAt: null,
  openSince: null,
  failedAt: null,
  closeCheckedAt: null,
  needsAttention: false,
  settledAt: null,
  recordedAt: null,
  settlementReference: null,
  totals: null,
  createdAt,
})
