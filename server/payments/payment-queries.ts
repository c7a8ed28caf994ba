import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { NewPayment, Payment } from './payment.ts'

export const paymentsOf = (db: Db, businessId: string) =>
  db
    .selectFrom('payment')
    .select([
      'business_id as businessId',
      'id',
      'operation_id as operationId',
      'subscription_id as subscriptionId',
      'bill_id as billId',
      'customer_id as customerId',
      'stored_card_id as storedCardId',
      'status',
      'trigger',
      'attempt',
      'code',
      'message',
      'next_retry_at as nextRetryAt',
      'period_start as periodStart',
      'period_end as periodEnd',
      'terminal_id as terminalId',
      'batch_id as batchId',
      'receipt_id as receiptId',
      'created_at as createdAt',
    ])
    .select([
      sql<Cents>`amount`.as('amount'),
      sql<Cents>`surcharge_amount`.as('surchargeAmount'),
      sql<Cents>`coalesce(tax_amount, 0)`.as('taxAmount'),
      sql<Cents>`refunded_amount`.as('refundedAmount'),
      sql<Cents>`refund_pending_amount`.as('refundPendingAmount'),
      sql<Currency>`currency`.as('currency'),
    ])
    .where('business_id', '=', businessId)

type PaymentRow = Awaited<ReturnType<ReturnType<typeof paymentsOf>['executeTakeFirstOrThrow']>>

export function paymentFrom({ periodStart: start, periodEnd: end, ...row }: PaymentRow): Payment {
  return { ...row, period: start === null || end === null ? null : { start, end } }
}

/** Finds a payment of any kind. */
export async function findPayment(db: Db, businessId: string, id: string): Promise<Payment | undefined> {
  const row = await paymentsOf(db, businessId).where('id', '=', id).executeTakeFirst()
  return row && paymentFrom(row)
}

export async function findPaymentOfSale(db: Db, businessId: string, operationId: string): Promise<Payment | undefined> {
  const row = await paymentsOf(db, businessId).where('operation_id', '=', operationId).executeTakeFirst()
  return row && paymentFrom(row)
}

/** Locks the payment until the end of the transaction. */
export async function lockPayment(tx: Tx, businessId: string, id: string): Promise<Payment | undefined> {
  const row = await paymentsOf(tx, businessId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && paymentFrom(row)
}

export async function findSubscriptionPayment(db: Db, businessId: string, id: string): Promise<Payment | undefined> {
  const payment = await findPayment(db, businessId, id)
  return payment?.subscriptionId == null ? undefined : payment
}

export async function listSubscriptionPayments(
  db: Db,
  { businessId, subscriptionId }: { businessId: string; subscriptionId: string },
  page: PageRequest,
): Promise<Page<Payment>> {
  const query = paymentsOf(db, businessId).where('subscription_id', '=', subscriptionId)
  const { rows, hasMore } = await readPage(db, { table: 'payment', businessId, query }, page)
  return { rows: rows.map(paymentFrom), hasMore }
}

/** Returns `insert into payment … from <source>`, which inserts one row if the source has one. */
export const insertPayment = (p: Placeholders, source: string) => `insert into payment
    select r.* from ${source} as source, jsonb_populate_record(null::payment, ${p.paymentRow}::jsonb) r`

const RECORD = statement(
  'record_subscription_payment',
  (p) => `with one as (select 1 as one) ${insertPayment(p, 'one')}`,
)

/** Records a payment in the transaction that finalizes its sale. */
export async function recordPayment(tx: Tx, payment: NewPayment): Promise<void> {
  await run(tx, RECORD, paymentRowValues(payment))
}

export function paymentRowValues(payment: NewPayment): Values {
  return {
    paymentRow: JSON.stringify({
      business_id: payment.businessId,
      id: payment.id,
      operation_id: payment.operationId,
      session_id: payment.sessionId,
      customer_id: payment.customerId,
      stored_card_id: payment.storedCardId,
      status: payment.status,
      amount: payment.amount,
      surcharge_amount: payment.surchargeAmount,
      currency: payment.currency,
      code: payment.code,
      message: payment.message,
      receipt_id: payment.receiptId,
      issuer_reference: payment.issuerReference,
      card_brand: payment.card.brand,
      card_first6: payment.card.first6,
      card_last4: payment.card.last4,
      source: payment.source,
      refunded_amount: 0,
      refund_pending_amount: 0,
      created_at: payment.createdAt,
      subscription_id: payment.subscriptionId,
      bill_id: payment.billId,
      trigger: payment.trigger,
      attempt: payment.attempt,
      tax_amount: payment.taxAmount,
      period_start: payment.period?.start ?? null,
      period_end: payment.period?.end ?? null,
      next_retry_at: payment.nextRetryAt,
      terminal_id: payment.terminalId,
      batch_id: payment.batchId,
    }),
  }
}

/** Sets the status of a locked payment to `voided`. */
export async function writeVoided(tx: Tx, { businessId, id }: Payment): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ status: 'voided' })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('status', '=', 'succeeded')
    .execute()
}

/** Whether the batch of the payment is settled. `false` proves nothing: the gateway may have settled it. */
export async function isBatchSettled(db: Db, { businessId, batchId }: Payment): Promise<boolean> {
  if (batchId === null) return false
  const row = await db
    .selectFrom('batch')
    .select('status')
    .where('business_id', '=', businessId)
    .where('id', '=', batchId)
    .executeTakeFirst()
  return row?.status === 'settled'
}
