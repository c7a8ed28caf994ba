import { sql } from 'kysely'
import type { RefundFailure } from '../../../contract/refund.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { Payment } from '../payment.ts'
import type { Refund } from './refund.ts'

const refundsOf = (db: Db, businessId: string) =>
  db
    .selectFrom('refund')
    .select([
      'business_id as businessId',
      'id',
      'payment_id as paymentId',
      'subscription_id as subscriptionId',
      'customer_id as customerId',
      'status',
      'receipt_id as receiptId',
      'created_at as createdAt',
    ])
    .select([
      sql<Cents>`amount`.as('amount'),
      sql<Currency>`currency`.as('currency'),
      sql<RefundFailure | null>`failure_reason`.as('failureReason'),
    ])
    .where('business_id', '=', businessId)

/** Finds a refund of any kind of payment. */
export function findRefund(db: Db, businessId: string, id: string): Promise<Refund | undefined> {
  return refundsOf(db, businessId).where('id', '=', id).executeTakeFirst()
}

/** Lists refunds of subscription payments: all of them, or those of one payment. */
export function listSubscriptionRefunds(
  db: Db,
  { businessId, paymentId }: { businessId: string; paymentId: string | undefined },
  page: PageRequest,
): Promise<Page<Refund>> {
  const all = refundsOf(db, businessId).where('subscription_id', 'is not', null)
  const query = paymentId === undefined ? all : all.where('payment_id', '=', paymentId)
  return readPage(db, { table: 'refund', businessId, query }, page)
}

/** Inserts a pending refund and reserves its amount on the payment, which the transaction has locked. */
export async function insertRefund(tx: Tx, refund: Refund): Promise<void> {
  await tx
    .insertInto('refund')
    .values({
      business_id: refund.businessId,
      id: refund.id,
      payment_id: refund.paymentId,
      subscription_id: refund.subscriptionId,
      customer_id: refund.customerId,
      status: refund.status,
      amount: refund.amount,
      currency: refund.currency,
      created_at: refund.createdAt,
    })
    .execute()
  await sql`update payment set refund_pending_amount = refund_pending_amount + ${refund.amount}
    where business_id = ${refund.businessId} and id = ${refund.paymentId}`.execute(tx)
}

/** Ends a pending refund, and updates the status and refunded amounts of the locked payment. */
export async function finalizeRefund(
  tx: Tx,
  refund: Refund,
  { status, refundedAmount, refundPendingAmount }: Payment,
  now: Date,
): Promise<void> {
  const { businessId, id, paymentId } = refund
  await sql`update refund set status = ${refund.status}, failure_reason = ${refund.failureReason},
    receipt_id = ${refund.receiptId}, finalized_at = ${now}
    where business_id = ${businessId} and id = ${id} and status = 'pending'`.execute(tx)
  await sql`update payment set status = ${status}, refunded_amount = ${refundedAmount},
    refund_pending_amount = ${refundPendingAmount} where business_id = ${businessId} and id = ${paymentId}`.execute(tx)
}

/** Puts a refund into the batch with which it was settled, unless it already is in a batch. */
export async function addRefundToBatch(
  db: Db,
  { businessId, batchId, id }: { businessId: string; batchId: string; id: string },
): Promise<void> {
  await db
    .updateTable('refund')
    .set({ batch_id: batchId })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('batch_id', 'is', null)
    .execute()
}

/**
 * Puts the refunds of a terminal that have no batch into a batch that is about to be settled.
 *
 * @param ambiguousUntil refunds sent up to this time are included only if confirmed; `null` includes all
 */
export async function addRefundsToBatch(
  tx: Tx,
  wanted: { businessId: string; batchId: string; terminalId: string; ambiguousUntil: Date | null; confirmed: string[] },
): Promise<void> {
  const { businessId, batchId, terminalId, ambiguousUntil, confirmed } = wanted
  await sql`update refund r set batch_id = ${batchId}::uuid from operation o
    where r.business_id = ${businessId}::uuid and r.batch_id is null and r.status = 'succeeded'
      and o.business_id = r.business_id and o.id = r.id
      and o.terminal_id = ${terminalId}::uuid and (${ambiguousUntil}::timestamptz is null
        or o.sent_at > ${ambiguousUntil}::timestamptz or r.id = any(${confirmed}::uuid[]))`.execute(tx)
}
