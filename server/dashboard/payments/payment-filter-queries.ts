import { type RawBuilder, sql } from 'kysely'
import type { PaymentRowStatus } from '../../../contract/dashboard/payment-row.ts'
import type { PaymentFilter } from './payment-filter.ts'

// Conditions on a sale `o` and its payment `p`, which may be absent. A condition repeats that of its index word for
// word.

/** Of a sale. A payment that is refunded in part is `succeeded` in its own row. */
export const ROW_STATUS = sql<PaymentRowStatus>`case
  when p.status = 'succeeded' and p.refunded_amount > 0 then 'partially_refunded'
  when p.status is not null then p.status::text
  when o.state = 'APPROVED' then 'succeeded' when o.state = 'DECLINED' then 'failed'
  when o.state = 'REVERSED' then 'reversed' when o.state in ('NOT_SENT', 'NOT_CHARGED') then 'not_charged'
  else 'pending' end`

const GIVEN_BACK = sql`(p.status in ('refunded', 'voided') or p.refunded_amount > 0)`
const LOST = sql`o.lost and o.parent_id is null`
/** Neither approved nor declined. */
const UNDONE = sql`${LOST} and o.declined_at is null`

/** No operation is older and still SENT: recovery has taken it up. */
const SENT_SECONDS = 86_400

/** Sales that have no outcome yet, or a refund or a void of which has none. */
function openSales(businessId: string, now: Date): RawBuilder<unknown> {
  const sentSince = new Date(now.getTime() - SENT_SECONDS * 1000)
  return sql`(
    select coalesce(w.parent_id, w.id) from operation w where w.business_id = ${businessId}::uuid and w.next_inquiry_at is not null
    union select coalesce(w.parent_id, w.id) from operation w
      where w.sent_at >= ${sentSince} and w.business_id = ${businessId}::uuid and w.state = 'SENT'
    union select w.open_reversal_of from operation w
      where w.business_id = ${businessId}::uuid and w.open_reversal_of is not null
  )`
}

function statusIs(status: PaymentRowStatus, businessId: string, now: Date): RawBuilder<boolean> {
  switch (status) {
    case 'succeeded':
      return sql`p.status = 'succeeded' and p.refunded_amount = 0`
    case 'partially_refunded':
      return sql`p.status = 'succeeded' and p.refunded_amount > 0 and ${GIVEN_BACK}`
    case 'refunded':
      return sql`p.status = 'refunded' and ${GIVEN_BACK}`
    case 'voided':
      return sql`p.status = 'voided' and ${GIVEN_BACK}`
    case 'failed':
      return sql`o.state = 'DECLINED' and ${LOST}`
    case 'reversed':
      return sql`o.state = 'REVERSED' and ${UNDONE}`
    case 'not_charged':
      return sql`o.state in ('NOT_SENT', 'NOT_CHARGED') and ${UNDONE}`
    case 'pending':
      return sql`o.state in ('SENT', 'IN_DOUBT', 'REVERSING') and o.id in ${openSales(businessId, now)}`
  }
}

/** Of a customer: their payments, and the sales on their stored cards that took no money. */
const ofCustomer = (businessId: string, id: string) => sql<boolean>`o.id in (
  select operation_id from payment where business_id = ${businessId}::uuid and customer_id = ${id}::uuid
  union all select l.id from operation l
    where l.business_id = ${businessId}::uuid and l.customer_id = ${id}::uuid and l.lost and l.parent_id is null
)`

/** In a settled batch, or what the open one of its terminal will take. */
const inBatch = (businessId: string, id: string) => sql<boolean>`(p.batch_id = ${id}::uuid or (p.batch_id is null
  and p.status <> 'failed' and exists (select from batch t where t.business_id = ${businessId}::uuid and t.id = ${id}::uuid
    and t.status <> 'settled' and t.terminal_id = p.terminal_id and p.id > t.after_payment_id)))`

/** Looked up only for sales near the ends of a range: a count of a month would read ten thousand payments else. */
const RECORDED_AT = sql`coalesce(
  (select r.created_at from payment r where r.business_id = o.business_id and r.operation_id = o.id), o.sent_at)`

function since(at: Date, { sureId, realSince = at }: PaymentFilter): RawBuilder<unknown> {
  const isLater = sql`(o.finalized_at is null or o.finalized_at >= ${realSince}) and ${RECORDED_AT} >= ${at}`
  return sureId === undefined ? isLater : sql`(o.id >= ${sureId}::uuid or ${isLater})`
}

const until = (at: Date, { realUntil }: PaymentFilter): RawBuilder<unknown> =>
  realUntil === undefined ? sql`${RECORDED_AT} < ${at}` : sql`(o.finalized_at < ${realUntil} or ${RECORDED_AT} < ${at})`

/** Whether the condition needs the payment, beside the sale. */
const OF_PAYMENT: readonly (keyof PaymentFilter)[] = ['status', 'trigger', 'batch', 'subscription']
const STATUS_OF_SALE: readonly PaymentRowStatus[] = ['failed', 'reversed', 'not_charged', 'pending']

export function needsPayment(filter: PaymentFilter): boolean {
  return OF_PAYMENT.some(
    (name) =>
      filter[name] !== undefined && !(name === 'status' && STATUS_OF_SALE.includes(filter.status ?? 'succeeded')),
  )
}

export function conditionsOf(filter: PaymentFilter, now: Date): RawBuilder<unknown> {
  const { businessId } = filter
  const when = <Value>(value: Value | undefined, condition: (given: Value) => RawBuilder<unknown>) =>
    value === undefined ? [] : [condition(value)]
  const conditions = [
    sql`o.business_id = ${businessId}::uuid and o.parent_id is null`,
    ...when(filter.status, (status) => statusIs(status, businessId, now)),
    ...when(filter.owners, (owners) => sql`o.owner_kind = any(${owners}::charge_owner_kind[])`),
    ...when(filter.firstId, (id) => sql`o.id >= ${id}::uuid`),
    ...when(filter.endId, (id) => sql`o.id < ${id}::uuid`),
    ...when(filter.since, (at) => since(at, filter)),
    ...when(filter.until, (at) => until(at, filter)),
    ...when(filter.amount_from, (cents) => sql`o.amount >= ${cents}`),
    ...when(filter.amount_to, (cents) => sql`o.amount <= ${cents}`),
    ...when(filter.currency, (currency) => sql`o.currency = ${currency}`),
    ...when(filter.brand, (brand) => sql`o.card_brand = ${brand}`),
    ...when(filter.last4, (digits) => sql`o.card_last4 = ${digits}`),
    ...when(filter.code, (code) => (code === 'AA' ? sql`o.code = 'AA'` : sql`o.code = ${code} and ${LOST}`)),
    ...when(filter.trigger, (trigger) => sql`p.trigger = ${trigger}::payment_trigger`),
    ...when(filter.batch, (id) => inBatch(businessId, id)),
    ...when(filter.customer, (id) => ofCustomer(businessId, id)),
    ...when(filter.subscription, (id) => sql`p.subscription_id = ${id}::uuid`),
    ...when(filter.open || undefined, () => sql`o.id in ${openSales(businessId, now)}`),
  ]
  return sql.join(conditions, sql` and `)
}
