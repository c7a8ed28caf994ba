import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { GatewayBatch } from '../../gateway/gateway.ts'
import type { Batch } from './batch.ts'
import { batchesOf } from './batch-queries.ts'

// What a settlement writes to its batch. As with operations, a writer records an outcome only under the epoch that it
// owns, and only while the state is open.

/** Marks the batch as settling, under a new epoch. @returns `false` if the batch is not open any more */
export async function beginSettlement(
  tx: Tx,
  { businessId, id, epoch }: Batch,
  { gatewayBatch, sentAt, deadlineAt }: { gatewayBatch: string; sentAt: Date; deadlineAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('batch')
    .set({
      status: 'settling',
      gateway_batch: gatewayBatch,
      epoch: epoch + 1,
      sent_at: sentAt,
      deadline_at: deadlineAt,
    })
    .set({ next_inquiry_at: null, open_since: null, needs_attention: false })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Records that the batch is settled.
 *
 * @param completeAt when to inquire about members that were recorded during the settlement
 * @returns `false` if another writer has decided the outcome first
 */
export async function recordSettled(
  tx: Tx,
  { businessId, id, epoch }: Batch,
  { totals, settlementReference }: GatewayBatch,
  { settledAt, recordedAt, completeAt }: { settledAt: Date; recordedAt: Date; completeAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('batch')
    .set({ status: 'settled', settled_at: settledAt, recorded_at: recordedAt, next_inquiry_at: completeAt })
    .set({ totals: JSON.stringify(totals), settlement_reference: settlementReference, needs_attention: false })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', 'settling')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Reopens the batch. @returns `false` if another writer has decided the outcome first */
export async function recordNotSettled(tx: Tx, { businessId, id, epoch }: Batch, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('batch')
    .set({ status: 'open', failed_at: now, next_inquiry_at: null, open_since: null, needs_attention: false })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', 'settling')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Schedules the next inquiry of a settlement whose outcome is unknown. */
export async function scheduleBatchInquiry(
  db: Db,
  { businessId, id, epoch }: Batch,
  next: { at: Date; openSince: Date | null; needsAttention: boolean },
): Promise<void> {
  await db
    .updateTable('batch')
    .set({ next_inquiry_at: next.at, open_since: next.openSince, needs_attention: next.needsAttention })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', 'settling')
    .execute()
}

/** Claims, under a new epoch, settlements whose outcome is unknown and that no caller is waiting for. */
export async function claimSettlements(
  db: Db,
  { now, abandonedBefore, lease, limit }: { now: Date; abandonedBefore: Date; lease: Date; limit: number },
): Promise<{ businessId: string; id: string }[]> {
  const { rows } = await sql<{ businessId: string; id: string }>`
    with due as (
      select business_id, id from batch where status = 'settling'
        and (next_inquiry_at <= ${now} or (next_inquiry_at is null and sent_at <= ${abandonedBefore}))
      order by sent_at limit ${limit} for update skip locked
    )
    update batch b set epoch = b.epoch + 1, next_inquiry_at = ${lease} from due
    where b.business_id = due.business_id and b.id = due.id
    returning b.business_id as "businessId", b.id`.execute(db)
  return rows
}

/** Returns when the next inquiry about a settlement is due; `null` if no settlement is open. */
export async function findNextBatchInquiry(db: Db, wireMs: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(coalesce(next_inquiry_at, sent_at + make_interval(secs => ${wireMs / 1000}))) as at
    from batch where status = 'settling'`.execute(db)
  return rows[0]?.at ?? null
}

/** Lists settled batches that are due for completion: they may lack members recorded during their settlement. */
export function listToComplete(db: Db, { now, limit }: { now: Date; limit: number }): Promise<Batch[]> {
  return batchesOf(db)
    .where('status', '=', 'settled')
    .where('next_inquiry_at', '<=', now)
    .orderBy('next_inquiry_at')
    .limit(limit)
    .execute()
}

/** Schedules the next inquiry about members of a settled batch. @param at `null` ends the inquiries */
export async function scheduleCompletion(db: Db, { businessId, id }: Batch, at: Date | null): Promise<void> {
  await db
    .updateTable('batch')
    .set({ next_inquiry_at: at })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('status', '=', 'settled')
    .execute()
}
