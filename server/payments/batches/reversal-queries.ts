import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import { type Batch, EMPTY_TOTALS } from './batch.ts'

type Sum = { batchId: string; kind: 'sale' | 'refund' | 'void'; count: number; amount: Cents }

/** Recovery reverses a sale within days; reversals later than this are not counted. */
const REVERSED_WITHIN_DAYS = 30

/**
 * Adds up what Rialto itself reversed in settled batches: sales that were never confirmed to anyone and have no
 * payment. A void removes its sale from the batch. If the batch had already closed, it contains the sale, and a later
 * batch contains the refund.
 *
 * @see REF-93
 */
export async function sumReversals(
  db: Db,
  businessId: string,
  batches: readonly Batch[],
): Promise<(batch: Batch) => BatchTotals> {
  const ids = batches.map(({ id }) => id)
  const inBatch = (at: 'r' | 's') =>
    sql`${sql.ref(`${at}.sent_at`)} > coalesce(before.recorded_at, '-infinity')
      and ${sql.ref(`${at}.sent_at`)} <= b.recorded_at`
  const { rows } = await sql<Sum>`
    select b.id as "batchId", part.kind, count(*)::int as count, sum(r.amount)::bigint as amount
    from batch b
    left join batch before on before.business_id = b.business_id and before.terminal_id = b.terminal_id
      and before.number = b.number - 1
    join operation r on r.business_id = b.business_id and r.terminal_id = b.terminal_id
      and r.kind in ('reversal_void', 'reversal_refund') and r.state = 'APPROVED'
      and r.sent_at > coalesce(before.recorded_at, '-infinity')
      and r.sent_at < b.recorded_at + ${REVERSED_WITHIN_DAYS} * interval '1 day'
    join operation s on s.business_id = r.business_id and s.id = r.parent_id
    cross join lateral (
      select 'void' as kind where r.kind = 'reversal_void' and ${inBatch('s')}
      union all select 'refund' where r.kind = 'reversal_refund' and ${inBatch('r')}
      union all select 'sale' where r.kind = 'reversal_refund' and ${inBatch('s')}) part
    where b.business_id = ${businessId}::uuid and b.id = any(${ids}::uuid[]) and b.status = 'settled'
    group by 1, 2`.execute(db)
  return ({ id }) => totalsOf(rows.filter(({ batchId }) => batchId === id))
}

function totalsOf(sums: readonly Sum[]): BatchTotals {
  const totals = { ...EMPTY_TOTALS }
  for (const { kind, count, amount } of sums)
    Object.assign(totals, { [`${kind}sCount`]: count, [`${kind}sAmount`]: amount })
  return totals
}
