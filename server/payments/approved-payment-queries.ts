import type { Selectable } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Placeholders, Values } from '../db/statement.ts'
import type { Payment as PaymentTable } from '../db/tables.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { ApprovedPayment } from './approved-payment.ts'

/**
 * Returns `insert into payment … from finalized`. `finalized` is the sale that the same statement approves, so either
 * both are recorded or neither.
 *
 * @param payerId SQL expression of the customer's id
 */
export function insertApprovedPayment(p: Placeholders, payerId: string, sessionId: string): string {
  return `insert into payment (business_id, id, operation_id, session_id, customer_id, stored_card_id, status, amount,
      surcharge_amount, currency, code, message, receipt_id, issuer_reference, card_brand, card_first6, card_last4, source,
      terminal_id, created_at)
    select ${p.businessId}::uuid, ${p.paymentId}::uuid, ${p.operationId}::uuid, ${sessionId}, ${payerId}, stored_card_id,
      'succeeded', amount, ${p.surchargeAmount}::bigint, currency, ${p.code}::text, ${p.message}::text, ${p.receiptId}::text,
      ${p.issuerReference}::text, card_brand, card_first6, card_last4, ${p.source}::text, terminal_id,
      ${p.at}::timestamptz
    from finalized`
}

/** Returns the values of `insertApprovedPayment` that the values of the approval do not already include. */
export function paymentValues({ id, surchargeAmount, receiptId, source }: ApprovedPayment): Values {
  return { paymentId: id, surchargeAmount, receiptId, source }
}

export async function findApprovedPayment(
  db: Db,
  businessId: string,
  sessionId: string,
): Promise<ApprovedPayment | undefined> {
  return (await findApprovedPayments(db, businessId, [sessionId])).get(sessionId)
}

/** @returns the payments by session id */
export async function findApprovedPayments(
  db: Db,
  businessId: string,
  sessionIds: string[],
): Promise<Map<string, ApprovedPayment>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('business_id', '=', businessId)
    .where((row) => row('session_id', '=', row.fn.any(row.val(sessionIds))))
    .execute()
  return new Map(rows.map((row) => [row.session_id ?? '', paymentFrom(row)]))
}

function paymentFrom(row: Selectable<PaymentTable>): ApprovedPayment {
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
