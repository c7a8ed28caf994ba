import type { Business } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { findTerminal } from '../../businesses/terminal-queries.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Currency } from '../../lib/money.ts'
import type { PaymentServices } from '../services.ts'
import type { Batch, BatchSummary } from './batch.ts'
import { lookAtBalance } from './look-at-batch.ts'
import { summarize } from './member-queries.ts'
import { openBatch } from './settle-batch.ts'

export interface BatchBalance {
  batch: Batch
  /** Totals of the gateway. */
  totals: BatchTotals
  summary: BatchSummary
}

/**
 * Returns what the gateway would settle now. `summary` is our own record: it has the totals by brand, and may not yet
 * include payments in progress.
 *
 * @throws ApiError `batch_failed`
 * @see REF-14, REF-16
 */
export async function batchBalance(
  services: PaymentServices,
  business: Business,
  terminal: Terminal,
): Promise<BatchBalance> {
  const totals = await lookAtBalance(services, terminal)
  const batch = await openBatch(services, business, terminal)
  return { batch, totals, summary: await summarize(services.db, batch) }
}

/** @throws ApiError `validation_failed` when the business does not charge in that currency */
export async function terminalOf(
  { db }: Pick<PaymentServices, 'db'>,
  business: Business,
  currency: Currency = business.currency,
): Promise<Terminal> {
  const terminal = await findTerminal(db, business.id, currency)
  if (!terminal)
    throw invalidField('currency', `must be a currency of the business: it has no terminal for ${currency}`)
  return terminal
}
