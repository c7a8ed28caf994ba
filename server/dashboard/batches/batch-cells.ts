import type { BATCH_COLUMNS } from '../../../contract/dashboard/batch-columns.ts'
import { type Batch, EMPTY_TOTALS, netOf } from '../../payments/batches/batch.ts'
import type { CsvCell } from '../export/csv.ts'

const totalsOf = ({ totals }: Batch) => totals ?? EMPTY_TOTALS

/** Cells of an exported batch, by column. */
export const BATCH_CELLS: Record<(typeof BATCH_COLUMNS)[number], (batch: Batch) => CsvCell> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  settled_at: ({ settledAt }) => settledAt,
  settlement_reference: ({ settlementReference }) => settlementReference,
  sales_count: (batch) => totalsOf(batch).salesCount,
  sales_amount: (batch) => ({ cents: totalsOf(batch).salesAmount }),
  refunds_count: (batch) => totalsOf(batch).refundsCount,
  refunds_amount: (batch) => ({ cents: totalsOf(batch).refundsAmount }),
  voids_count: (batch) => totalsOf(batch).voidsCount,
  voids_amount: (batch) => ({ cents: totalsOf(batch).voidsAmount }),
  net_amount: (batch) => ({ cents: netOf(totalsOf(batch)) }),
}
