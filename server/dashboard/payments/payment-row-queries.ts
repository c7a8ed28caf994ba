import { sql } from 'kysely'
import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import type { PaymentRowStatus } from '../../../contract/dashboard/payment-row.ts'
import type { PaymentTrigger } from '../../../contract/payment.ts'
import type { Db } from '../../db/connection.ts'
import { cursorOf, type Page, type PageRequest, unknownCursor } from '../../db/page.ts'
import { run, statement } from '../../db/statement.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { ChargeOwnerKind } from '../../payments/operation.ts'
import { paymentStatusOf } from '../payment-status.ts'
import type { PaymentFilter } from './payment-filter.ts'
import { countedParts, selectedRows } from './payment-filter-queries.ts'

// Rows are ordered by the id of their sale, which implies its time, so the newest need no index of their own.

/** A sale with the payment that came of it, if one did. */
export interface StoredPaymentRow {
  operationId: string
  paymentId: string | null
  status: PaymentRowStatus
  ownerKind: ChargeOwnerKind
  ownerId: string
  amount: Cents
  surchargeAmount: Cents
  taxAmount: Cents
  refundedAmount: Cents
  refundPendingAmount: Cents
  currency: Currency
  code: string | null
  message: string | null
  customerId: string | null
  customerName: string | null
  customerEmail: string | null
  cardBrand: string | null
  cardFirst6: string | null
  cardLast4: string | null
  storedCardId: string | null
  sessionId: string | null
  subscriptionId: string | null
  trigger: PaymentTrigger | null
  attempt: number | null
  installment: number | null
  installments: number | null
  description: string | null
  reference: string | null
  avsResult: string | null
  cvvResult: string | null
  receiptId: string | null
  batchId: string | null
  batchNumber: number | null
  createdAt: Date
}

/** What the list shows of sales. The number of an installment is the count of its subscription's payments up to it. */
const SHOWN = statement(
  'dashboard_payment_rows',
  (p) => `
  select o.id as "operationId", p.id as "paymentId", ${paymentStatusOf('o')} as status, o.owner_kind as "ownerKind", o.owner_id as "ownerId",
    o.amount, coalesce(p.surcharge_amount, 0) as "surchargeAmount", coalesce(p.tax_amount, 0) as "taxAmount",
    coalesce(p.refunded_amount, 0) as "refundedAmount", coalesce(p.refund_pending_amount, 0) as "refundPendingAmount",
    o.currency, coalesce(p.code, o.code) as code, coalesce(p.message, o.message) as message,
    c.id as "customerId", coalesce(c.name, t.payer_name, t.customer_name) as "customerName",
    coalesce(c.email, t.payer_email, t.customer_email) as "customerEmail",
    o.card_brand as "cardBrand", o.card_first6 as "cardFirst6", o.card_last4 as "cardLast4",
    o.avs_result as "avsResult", o.cvv_result as "cvvResult",
    coalesce(p.stored_card_id, o.stored_card_id) as "storedCardId", t.id as "sessionId", s.id as "subscriptionId",
    p.trigger, p.attempt, s.installments, case when s.installments is not null and p.status <> 'failed' then (
      select count(*) from payment e where e.business_id = ${p.businessId}::uuid and e.subscription_id = p.subscription_id
        and e.status <> 'failed' and e.id <= p.id) end as installment,
    t.description, t.client_reference_id as reference, p.receipt_id as "receiptId", p.batch_id as "batchId",
    (select number from batch where business_id = p.business_id and id = p.batch_id) as "batchNumber",
    coalesce(p.created_at, o.sent_at) as "createdAt"
  from operation o
    left join payment p on p.business_id = o.business_id and p.operation_id = o.id
    left join checkout_session t on t.business_id = o.business_id and o.owner_kind = 'session' and t.id = o.owner_id
    left join bill b on b.business_id = o.business_id and o.owner_kind = 'bill' and b.id = o.owner_id
    left join subscription s on s.business_id = o.business_id and s.id = coalesce(p.subscription_id, b.subscription_id)
    left join customer c on c.business_id = o.business_id
      and c.id = coalesce(p.customer_id, o.customer_id, s.customer_id, t.customer_id)
  where o.business_id = ${p.businessId}::uuid and o.id = any(${p.ids}::uuid[])
  order by o.id desc`,
)

/** Returns the rows of the given sales of a business, newest first. */
export async function findPaymentRows(db: Db, businessId: string, ids: readonly string[]): Promise<StoredPaymentRow[]> {
  return ids.length === 0 ? [] : run<StoredPaymentRow>(db, SHOWN, { businessId, ids })
}

/**
 * Selects the sales of a page, newest first.
 *
 * @throws ApiError `validation_failed` for two cursors, and for one that is not from this business
 */
export async function selectSales(
  db: Db,
  filter: PaymentFilter,
  { limit, now, ...page }: PageRequest & { now: Date },
): Promise<Page<string>> {
  const cursor = cursorOf(page)
  const place = cursor ? await saleOf(db, filter.businessId, cursor.id) : undefined
  if (cursor && place === undefined) throw unknownCursor(cursor)
  const isBefore = cursor?.param === 'ending_before'
  const side = isBefore ? { compare: sql`>`, order: sql`asc` } : { compare: sql`<`, order: sql`desc` }
  const { id, from, where } = await selectedRows(db, filter, now)
  const beyond = place === undefined ? sql`true` : sql`${id} ${side.compare} ${place}::uuid`
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${from} where ${where} and ${beyond}
    order by ${id} ${side.order} limit ${limit + 1}`.execute(db)
  const ids = rows.slice(0, limit).map((row) => row.id)
  return { rows: isBefore ? ids.reverse() : ids, hasMore: rows.length > limit }
}

/** @throws ApiError like `selectSales` */
export async function listPaymentRows(
  db: Db,
  filter: PaymentFilter,
  page: PageRequest & { now: Date },
): Promise<Page<StoredPaymentRow>> {
  const { rows: ids, hasMore } = await selectSales(db, filter, page)
  return { rows: await findPaymentRows(db, filter.businessId, ids), hasMore }
}

/** Counts the rows that match, up to 10,001. */
export async function countPaymentRows(db: Db, filter: PaymentFilter, now: Date): Promise<number> {
  const parts = await countedParts(db, filter, now)
  const selected = parts.map(({ from, where }) => sql`select from ${from} where ${where}`)
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    ${sql.join(selected, sql` union all `)} limit ${TOTAL_MAX + 1}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Finds a row by the id of the payment, or of its sale. */
export async function findPaymentRow(db: Db, businessId: string, id: string): Promise<StoredPaymentRow | undefined> {
  const operationId = await saleOf(db, businessId, id)
  if (operationId === undefined) return undefined
  return (await findPaymentRows(db, businessId, [operationId]))[0]
}

/** Returns the sale of a payment, or the sale itself. */
export async function saleOf(db: Db, businessId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select operation_id as id from payment where business_id = ${businessId}::uuid and id = ${id}::uuid
    union all
    select id from operation where business_id = ${businessId}::uuid and id = ${id}::uuid and parent_id is null
    limit 1`.execute(db)
  return rows[0]?.id
}
