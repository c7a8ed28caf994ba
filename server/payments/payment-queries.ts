import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Payment as PaymentTable } from '../db/tables.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Payment } from './payment.ts'

/** `insert into payment … from <source>`: with the approval that it records, or not at all. `payer` may yield the customer. */
export function insertPaymentFrom(
  payment: Payment,
  source: RawBuilder<unknown>,
  payerId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`insert into payment (business_id, id, operation_id, session_id, customer_id, stored_card_id, status, amount, surcharge_amount,
      currency, code, message, receipt_id, issuer_reference, card_brand, card_first6, card_last4, source, created_at)
    select ${payment.businessId}::uuid, ${payment.id}::uuid, ${payment.operationId}::uuid, ${payment.sessionId}::uuid,
      ${payerId}, ${payment.storedCardId}::uuid, 'succeeded'::payment_status, ${payment.amount}::bigint, ${payment.surchargeAmount}::bigint, ${payment.currency}::text,
      ${payment.code}::text, ${payment.message}::text, ${payment.receiptId}::text, ${payment.issuerReference}::text,
      ${payment.cardBrand}::text, ${payment.cardFirst6}::text, ${payment.cardLast4}::text, ${payment.source}::text,
      ${payment.createdAt}::timestamptz
    from ${source}`
}

export async function findPaymentOfSession(
  db: Db,
  businessId: string,
  sessionId: string,
): Promise<Payment | undefined> {
  return (await findPaymentsOfSessions(db, businessId, [sessionId])).get(sessionId)
}

/** By the session's id. */
export async function findPaymentsOfSessions(
  db: Db,
  businessId: string,
  sessionIds: string[],
): Promise<Map<string, Payment>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('business_id', '=', businessId)
    .where((row) => row('session_id', '=', row.fn.any(row.val(sessionIds))))
    .execute()
  return new Map(rows.map((row) => [row.session_id ?? '', paymentFrom(row)]))
}

function paymentFrom(row: Selectable<PaymentTable>): Payment {
  return {
    businessId: row.business_id,
    id: row.id,
    operationId: row.operation_id,
    sessionId: row.session_id,
    customerId: row.customer_id,
    storedCardId: row.stored_card_id,
    amount: row.amount as Cents,
    surchargeAmount: row.surcharge_amount as Cents,
    currency: row.currency as Currency,
    code: row.code,
    message: row.message,
    receiptId: row.receipt_id,
    issuerReference: row.issuer_reference,
    cardBrand: row.card_brand,
    cardFirst6: row.card_first6,
    cardLast4: row.card_last4,
    source: row.source,
    createdAt: row.created_at,
  }
}
