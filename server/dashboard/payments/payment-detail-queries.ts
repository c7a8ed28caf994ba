import { sql } from 'kysely'
import type { BatchStatus } from '../../../contract/batch.ts'
import type { PaymentDetail } from '../../../contract/dashboard/payments-api.ts'
import type { Db } from '../../db/connection.ts'
import type { Refund } from '../../payments/refunds/refund.ts'

/** What the page of a payment shows in addition to its row. */
export interface PaymentFacts {
  issuerReference: string | null
  source: PaymentDetail['source'] & string
  /** Id of the settled batch that contains the payment, or of the open one that will. */
  batchId: string | null
  batchNumber: number | null
  batchStatus: BatchStatus | null
  batchSettledAt: Date | null
  isInProgress: boolean
}

export async function findPaymentFacts(db: Db, businessId: string, id: string): Promise<PaymentFacts | undefined> {
  const { rows } = await sql<PaymentFacts>`
    select p.issuer_reference as "issuerReference", p.source, t.id as "batchId", t.number as "batchNumber",
      t.status as "batchStatus", t.settled_at as "batchSettledAt", exists (select from operation o
        where o.business_id = p.business_id and o.open_reversal_of = p.operation_id) as "isInProgress"
    from payment p left join batch t on t.business_id = p.business_id and (t.id = p.batch_id
      or (p.batch_id is null and p.status <> 'failed' and t.terminal_id = p.terminal_id and t.status <> 'settled'
        and p.id > t.after_payment_id))
    where p.business_id = ${businessId}::uuid and p.id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** A refund with the gateway's result, and with the person who requested it according to the audit log. */
export interface RefundBy extends Refund {
  code: string | null
  message: string | null
  by: string | null
  reason: string | null
  note: string | null
}

const REFUNDS_MAX = 100

export async function listRefundsOf(db: Db, businessId: string, paymentId: string): Promise<RefundBy[]> {
  const { rows } = await sql<RefundBy>`
    select r.business_id as "businessId", r.id, r.payment_id as "paymentId", r.subscription_id as "subscriptionId",
      r.customer_id as "customerId", r.status, r.amount, r.currency, r.failure_reason as "failureReason",
      r.receipt_id as "receiptId", r.created_at as "createdAt",
      o.code, o.message, a.actor_name as by, a.after ->> 'reason' as reason, a.after ->> 'note' as note
    from refund r left join operation o on o.business_id = r.business_id and o.id = r.id
      left join audit_entry a on a.business_id = r.business_id and a.object_id = r.payment_id::text
      and a.action = 'payment.refund' and a.after ->> 'operation' = r.id::text
    where r.business_id = ${businessId}::uuid and r.payment_id = ${paymentId}::uuid
    order by r.created_at desc, r.id desc limit ${REFUNDS_MAX}`.execute(db)
  return rows
}
