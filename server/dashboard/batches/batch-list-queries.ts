import { sql } from 'kysely'
import type { BatchStatus } from '../../../contract/batch.ts'
import type { Db } from '../../db/connection.ts'
import { type PageRequest, readPage } from '../../db/page.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { Batch, BatchSummary, BrandTotal } from '../../payments/batches/batch.ts'
import { batchesOf } from '../../payments/batches/batch-queries.ts'
import { countUpTo } from '../count-queries.ts'

/** An `undefined` field does not filter. */
export interface BatchFilter {
  businessId: string
  status?: BatchStatus | undefined
  currency?: Currency | undefined
  /** Both times are in the business's time; the end is exclusive. */
  settledFrom?: Date | undefined
  settledBefore?: Date | undefined
}

const matching = (db: Db, { businessId, status, currency, settledFrom, settledBefore }: BatchFilter) => {
  let query = batchesOf(db).where('business_id', '=', businessId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (currency !== undefined) query = query.where('currency', '=', currency)
  if (settledFrom !== undefined) query = query.where('settled_at', '>=', settledFrom)
  return settledBefore === undefined ? query : query.where('settled_at', '<', settledBefore)
}

export const countBatches = (db: Db, filter: BatchFilter): Promise<number> => countUpTo(db, matching(db, filter))

export const listMatching = (db: Db, filter: BatchFilter, page: PageRequest) =>
  readPage(db, { table: 'batch', businessId: filter.businessId, query: matching(db, filter) }, page)

interface SummedRow {
  batchId: string
  kind: 'sale' | 'void' | 'refund'
  brand: string
  count: number
  amount: Cents
  openedAt: Date
}

/** Sums up the payments and refunds of a business's settled batches, in one statement. */
export async function summarizeSettled(
  db: Db,
  businessId: string,
  batches: readonly Batch[],
): Promise<Map<string, BatchSummary>> {
  if (batches.length === 0) return new Map()
  const ids = batches.map(({ id }) => id)
  const { rows } = await sql<SummedRow>`
    select batch_id as "batchId", case status when 'voided' then 'void' else 'sale' end as kind, card_brand as brand,
      count(*)::int as count, sum(amount)::bigint as amount, min(created_at) as "openedAt"
    from payment where business_id = ${businessId}::uuid and batch_id = any(${ids}::uuid[])
    group by 1, 2, 3
    union all
    select batch_id, 'refund', '', count(*)::int, sum(amount)::bigint, min(created_at)
    from refund where business_id = ${businessId}::uuid and batch_id = any(${ids}::uuid[])
    group by 1
    order by 1, 2, 3`.execute(db)
  return new Map(ids.map((id) => [id, summaryOf(rows.filter(({ batchId }) => batchId === id))]))
}

function summaryOf(rows: readonly SummedRow[]): BatchSummary {
  const [sales, voids, refunds] = (['sale', 'void', 'refund'] as const).map((kind) =>
    rows.filter((row) => row.kind === kind),
  )
  const count = (some: readonly BrandTotal[] = []) => some.reduce((sum, row) => sum + row.count, 0)
  const amount = (some: readonly BrandTotal[] = []) => some.reduce((sum, row) => sum + row.amount, 0) as Cents
  const totals: BatchTotals = {
    salesCount: count(sales),
    salesAmount: amount(sales),
    refundsCount: count(refunds),
    refundsAmount: amount(refunds),
    voidsCount: count(voids),
    voidsAmount: amount(voids),
  }
  const first = Math.min(...rows.map(({ openedAt }) => openedAt.getTime()))
  const byBrand = (sales ?? []).map((row) => ({ brand: row.brand, count: row.count, amount: row.amount }))
  return { totals, byBrand, openedAt: rows.length > 0 ? new Date(first) : null }
}

/** Payer of a payment, and the card that was charged. */
export interface PayerRow {
  name: string | null
  email: string | null
  brand: string
  last4: string
}

export async function findPayers(db: Db, businessId: string, ids: readonly string[]): Promise<Map<string, PayerRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PayerRow & { id: string }>`
    select p.id, c.name, c.email, p.card_brand as brand, p.card_last4 as last4
    from payment p left join customer c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${businessId}::uuid and p.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...payer }) => [id, payer]))
}

/**
 * Returns the batch that a settlement was requested for, found by the settlement's id in the audit log; `null` if none
 * was requested.
 */
export async function findSettledBy(db: Db, businessId: string, settlement: string): Promise<string | null> {
  const { rows } = await sql<{ object_id: string }>`select object_id from audit_entry
    where business_id = ${businessId}::uuid and action = 'batch.settle' and object_type = 'batch'
      and after ->> 'settlement' = ${settlement} limit 1`.execute(db)
  return rows[0]?.object_id ?? null
}
