import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { Tx } from '../../db/transaction.ts'
import type { BatchTotals } from '../../gateway/gateway.ts'
import { newId } from '../../lib/ids.ts'
import type { Currency } from '../../lib/money.ts'
import type { Batch } from './batch.ts'

export const batchesOf = (db: Db) =>
  db
    .selectFrom('batch')
    .select([
      'business_id as businessId',
      'id',
      'terminal_id as terminalId',
      'number',
      'status',
      'after_payment_id as afterPaymentId',
      'gateway_batch as gatewayBatch',
      'epoch',
      'sent_at as sentAt',
      'deadline_at as deadlineAt',
      'open_since as openSince',
      'failed_at as failedAt',
      'close_checked_at as closeCheckedAt',
      'needs_attention as needsAttention',
      'settled_at as settledAt',
      'recorded_at as recordedAt',
      'settlement_reference as settlementReference',
      'created_at as createdAt',
    ])
    .select([sql<Currency>`currency`.as('currency'), sql<BatchTotals | null>`totals`.as('totals')])

export function findBatch(db: Db, businessId: string, id: string): Promise<Batch | undefined> {
  return batchesOf(db).where('business_id', '=', businessId).where('id', '=', id).executeTakeFirst()
}

/** Locks the batch until the end of the transaction. */
export function lockBatch(tx: Tx, { businessId, id }: Pick<Batch, 'businessId' | 'id'>): Promise<Batch | undefined> {
  return batchesOf(tx).where('business_id', '=', businessId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Finds the batch of a terminal that is not settled. */
export function findOpenBatch(db: Db, businessId: string, terminalId: string): Promise<Batch | undefined> {
  return batchesOf(db)
    .where('business_id', '=', businessId)
    .where('terminal_id', '=', terminalId)
    .where('status', '!=', 'settled')
    .executeTakeFirst()
}

/** Finds the batch that the terminal settled last. */
export function findLastSettled(db: Db, businessId: string, terminalId: string): Promise<Batch | undefined> {
  return batchesOf(db)
    .where('business_id', '=', businessId)
    .where('terminal_id', '=', terminalId)
    .where('status', '=', 'settled')
    .orderBy('number', 'desc')
    .executeTakeFirst()
}

/** Finds a settled batch by its name at the gateway. */
export function findByGatewayName(
  db: Db,
  { businessId, terminalId }: Batch,
  gatewayBatch: string,
): Promise<Batch | undefined> {
  return batchesOf(db)
    .where('business_id', '=', businessId)
    .where('terminal_id', '=', terminalId)
    .where('gateway_batch', '=', gatewayBatch)
    .where('status', '=', 'settled')
    .executeTakeFirst()
}

export function listBatches(db: Db, businessId: string, page: PageRequest): Promise<Page<Batch>> {
  const query = batchesOf(db).where('business_id', '=', businessId)
  return readPage(db, { table: 'batch', businessId, query }, page)
}

/** Records that the batch was empty at a daily close. */
export async function noteEmptyAtClose(db: Db, { businessId, id }: Batch, close: Date): Promise<void> {
  await db
    .updateTable('batch')
    .set({ close_checked_at: close })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .execute()
}

/** The smallest UUIDv7: all payments come after it. */
export const ALL_IDS = '00000000-0000-7000-8000-000000000000'

/**
 * Returns the payment id after which the next batch starts: `bound`, unless a payment up to it still has no batch,
 * because the gateway did not say which one it is in. Then it is the bound of the settled batch.
 *
 * @param settled the preceding batch, which the transaction has locked
 */
export async function boundAfter(tx: Tx, settled: Batch, bound: string): Promise<string> {
  const { businessId, terminalId, afterPaymentId } = settled
  const { rows } = await sql`select from payment where business_id = ${businessId}::uuid
    and id > ${afterPaymentId}::uuid and id <= ${bound}::uuid and terminal_id = ${terminalId}::uuid
    and batch_id is null and status <> 'failed' limit 1`.execute(tx)
  return rows.length > 0 ? afterPaymentId : bound
}

/** Opens the first batch of each terminal that has none. */
export async function openFirstBatches(db: Db, businessId: string, createdAt: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from terminal t where business_id = ${businessId}
    and not exists (select from batch b where b.business_id = t.business_id and b.terminal_id = t.id)`.execute(db)
  for (const { id } of rows) await openNextBatch(db, { businessId, terminalId: id, afterPaymentId: ALL_IDS, createdAt })
}

/** Opens the next batch of a terminal, unless another process has already done so. */
export async function openNextBatch(
  db: Db,
  {
    businessId,
    terminalId,
    afterPaymentId,
    createdAt,
  }: Pick<Batch, 'businessId' | 'terminalId' | 'afterPaymentId' | 'createdAt'>,
): Promise<void> {
  await sql`insert into batch (business_id, id, terminal_id, number, status, currency, after_payment_id, created_at)
    select t.business_id, ${newId()}::uuid, t.id, 1 + coalesce((select max(number) from batch b
      where b.business_id = t.business_id and b.terminal_id = t.id), 0), 'open', t.currency, ${afterPaymentId}::uuid,
      ${createdAt}::timestamptz
    from terminal t where t.business_id = ${businessId}::uuid and t.id = ${terminalId}::uuid
    on conflict do nothing`.execute(db)
}
