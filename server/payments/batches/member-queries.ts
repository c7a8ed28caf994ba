import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Cents } from '../../lib/money.ts'
import type { Payment } from '../payment.ts'
import { paymentFrom, paymentsOf } from '../payment-queries.ts'
import { addRefundsToBatch, addRefundToBatch } from '../refunds/refund-queries.ts'
import type { Batch, BatchSummary, BrandTotal } from './batch.ts'

// The payments and refunds of a batch. They join it when its settlement begins. Until then, the open batch consists of
// everything after the previous batch.

/** Condition for the payments of a batch. A settled batch contains only the payments that joined it. */
const paymentIn = ({ id, status, afterPaymentId, terminalId }: Batch): RawBuilder<boolean> =>
  status === 'settled'
    ? sql`batch_id = ${id}::uuid`
    : sql`(batch_id = ${id}::uuid or (batch_id is null and id > ${afterPaymentId}::uuid
        and terminal_id = ${terminalId}::uuid and status <> 'failed'))`

export async function listBatchPayments(db: Db, batch: Batch, page: PageRequest): Promise<Page<Payment>> {
  const { businessId } = batch
  const query = paymentsOf(db, businessId).where(paymentIn(batch))
  const { rows, hasMore } = await readPage(db, { table: 'payment', businessId, query }, page)
  return { rows: rows.map(paymentFrom), hasMore }
}

export async function summarize(db: Db, batch: Batch): Promise<BatchSummary> {
  const { businessId, id, terminalId } = batch
  const { rows } = await sql<BrandTotal & { isVoided: boolean; openedAt: Date }>`
    select card_brand as brand, status = 'voided' as "isVoided", count(*)::int as count, sum(amount)::bigint as amount,
      min(created_at) as "openedAt"
    from payment where business_id = ${businessId}::uuid and ${paymentIn(batch)}
    group by 1, 2 order by 1, 2`.execute(db)
  const joined = sql`r.batch_id = ${id}::uuid`
  const open = sql`(${joined} or (r.batch_id is null and r.status = 'succeeded' and o.terminal_id = ${terminalId}::uuid))`
  const { rows: given } = await sql<{ count: number; amount: Cents; openedAt: Date | null }>`
    select count(*)::int as count, coalesce(sum(r.amount), 0)::bigint as amount, min(r.created_at) as "openedAt"
    from refund r join operation o on o.business_id = r.business_id and o.id = r.id
    where r.business_id = ${businessId}::uuid and ${batch.status === 'settled' ? joined : open}`.execute(db)
  const [sales, voids] = [rows.filter(({ isVoided }) => !isVoided), rows.filter(({ isVoided }) => isVoided)]
  const [refunds] = given
  const instants = [...rows, ...given].flatMap(({ openedAt }) => (openedAt === null ? [] : [openedAt.getTime()]))
  return {
    totals: {
      salesCount: sum(sales, 'count'),
      salesAmount: sum(sales, 'amount') as Cents,
      refundsCount: refunds?.count ?? 0,
      refundsAmount: refunds?.amount ?? (0 as Cents),
      voidsCount: sum(voids, 'count'),
      voidsAmount: sum(voids, 'amount') as Cents,
    },
    byBrand: sales.map(({ brand, count, amount }) => ({ brand, count, amount })),
    openedAt: instants.length > 0 ? new Date(Math.min(...instants)) : null,
  }
}

const sum = (rows: readonly BrandTotal[], field: 'count' | 'amount') =>
  rows.reduce((total, row) => total + row[field], 0)

/** A payment or refund that an earlier settlement may have included when it was recorded. */
export interface Member {
  kind: 'payment' | 'refund'
  id: string
  /** Reference of the sale or refund at the gateway. */
  merchantRef: string
}

/**
 * Lists payments and refunds without a batch whose request was sent up to `sentBefore`: the gateway may have put them
 * into an earlier batch.
 */
export async function listAmbiguous(
  db: Db,
  { businessId, terminalId, afterPaymentId }: Batch,
  sentBefore: Date,
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select 'payment' as kind, p.id, o.merchant_ref as "merchantRef"
    from payment p join operation o on o.business_id = p.business_id and o.id = p.operation_id
    where p.business_id = ${businessId}::uuid and p.id > ${afterPaymentId}::uuid and p.batch_id is null
      and p.status <> 'failed' and o.terminal_id = ${terminalId}::uuid and o.sent_at <= ${sentBefore}
    union all
    select 'refund', r.id, o.merchant_ref
    from refund r join operation o on o.business_id = r.business_id and o.id = r.id
    where r.business_id = ${businessId}::uuid and r.batch_id is null and r.status = 'succeeded'
      and o.terminal_id = ${terminalId}::uuid and o.sent_at <= ${sentBefore}`.execute(db)
  return rows
}

/** Puts a payment or refund into a batch, unless it already is in one. */
export async function joinBatch(db: Db, { businessId, id: batchId }: Batch, { kind, id }: Member): Promise<void> {
  if (kind === 'refund') return addRefundToBatch(db, { businessId, batchId, id })
  await db
    .updateTable('payment')
    .set({ batch_id: batchId })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('batch_id', 'is', null)
    .execute()
}

/**
 * Puts all recorded payments and refunds that have no batch into a batch that is about to be settled. Ambiguous ones
 * are included only if the gateway has confirmed them.
 *
 * @param confirmed members that are in the open batch of the gateway
 */
export async function joinRecorded(
  tx: Tx,
  { businessId, id: batchId, terminalId, afterPaymentId }: Batch,
  { ambiguousUntil, confirmed }: { ambiguousUntil: Date | null; confirmed: Member[] },
): Promise<void> {
  const idsOf = (kind: Member['kind']) => confirmed.filter((one) => one.kind === kind).map((one) => one.id)
  await sql`update payment p set batch_id = ${batchId}::uuid from operation o
    where p.business_id = ${businessId}::uuid and p.id > ${afterPaymentId}::uuid and p.batch_id is null
      and p.status <> 'failed' and o.business_id = p.business_id and o.id = p.operation_id
      and o.terminal_id = ${terminalId}::uuid and (${ambiguousUntil}::timestamptz is null
        or o.sent_at > ${ambiguousUntil}::timestamptz or p.id = any(${idsOf('payment')}::uuid[]))`.execute(tx)
  await addRefundsToBatch(tx, { businessId, batchId, terminalId, ambiguousUntil, confirmed: idsOf('refund') })
}
