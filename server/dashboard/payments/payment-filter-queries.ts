import { type RawBuilder, sql } from 'kysely'
import type { PaymentRowStatus } from '../../../contract/dashboard/payment-row.ts'
import type { PaymentTrigger } from '../../../contract/payment.ts'
import type { Db } from '../../db/connection.ts'
import type { PaymentFilter } from './payment-filter.ts'

// Conditions on a sale `o` and its payment `p`. A condition repeats that of its index word for word, or compares with a
// value that implies it, since these statements are planned for their values.

/** Tables that a filter reads. Sales and payments have the currency, the amount and the card under the same names. */
interface Source {
  from: RawBuilder<unknown>
  /** Table that these columns are read from. */
  table: 'o' | 'p'
  /** Id of the sale, which orders the list. */
  id: RawBuilder<unknown>
  since: (at: Date, filter: PaymentFilter) => RawBuilder<unknown>
  until: (at: Date, filter: PaymentFilter) => RawBuilder<unknown>
}

/**
 * Time of the record. It is looked up only for sales near the ends of a range; otherwise, a count of a month would read
 * ten thousand payments.
 */
const RECORDED_AT = sql`coalesce(
  (select r.created_at from payment r where r.business_id = o.business_id and r.operation_id = o.id), o.sent_at)`

const SALES: Source = {
  from: sql`operation o`,
  table: 'o',
  id: sql`o.id`,
  since(at, { sureId, realSince = at }) {
    const isLater = sql`(o.finalized_at is null or o.finalized_at >= ${realSince}) and ${RECORDED_AT} >= ${at}`
    return sureId === undefined ? isLater : sql`(o.id >= ${sureId}::uuid or ${isLater})`
  },
  until: (at, { realUntil }) =>
    realUntil === undefined
      ? sql`${RECORDED_AT} < ${at}`
      : sql`(o.finalized_at < ${realUntil} or ${RECORDED_AT} < ${at})`,
}

const PAYMENTS: Source = {
  from: sql`payment p`,
  table: 'p',
  id: sql`p.operation_id`,
  since: (at) => sql`p.created_at >= ${at}`,
  until: (at) => sql`p.created_at < ${at}`,
}

const BOTH: Source = {
  ...PAYMENTS,
  from: sql`operation o join payment p on p.business_id = o.business_id and p.operation_id = o.id`,
  table: 'o',
  id: sql`o.id`,
}

const NOT_KEPT: readonly (PaymentRowStatus | undefined)[] = ['partially_refunded', 'refunded', 'voided']
const STATUSES_OF_SALE: readonly (PaymentRowStatus | undefined)[] = ['failed', 'reversed', 'not_charged', 'pending']

/** Filters whose few matches an index finds among sales only. */
const INDEXED_OF_SALES = ['currency', 'brand', 'last4', 'amount_from', 'amount_to'] as const

/**
 * Chooses what is read. If the first table decides, no second one is looked up, because a count looks at thousands of
 * rows.
 */
function sourceOf(filter: PaymentFilter): Source {
  const { status, trigger, batch, subscription, owners, code } = filter
  const isOfSale = STATUSES_OF_SALE.includes(status) || owners !== undefined || code !== undefined
  const isRareAsPayment = [trigger, batch, subscription].some((one) => one !== undefined) || NOT_KEPT.includes(status)
  if (!isRareAsPayment && status !== 'succeeded') return SALES
  if (isOfSale) return BOTH
  return isRareAsPayment || INDEXED_OF_SALES.every((name) => filter[name] === undefined) ? PAYMENTS : BOTH
}

const GIVEN_BACK = sql`(p.status in ('refunded', 'voided') or p.refunded_amount > 0)`
const LOST = sql`o.lost and o.parent_id is null`
/** Condition of a sale that was neither approved nor declined: `declined_at` is set in the declined state. */
const UNDONE = sql`${LOST} and o.declined_at is null`

/** Longest time that an operation stays SENT; recovery takes it up by then. */
const SENT_SECONDS = 86_400

/** Selects sales without an outcome, and sales with a refund or a void without one. */
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

function statusIs(status: PaymentRowStatus, businessId: string, now: Date): RawBuilder<unknown> {
  switch (status) {
    case 'succeeded':
      return sql`p.status = 'succeeded' and p.refunded_amount = 0`
    case 'partially_refunded':
      return sql`p.status = 'succeeded' and ${GIVEN_BACK}`
    case 'refunded':
      return sql`p.status = 'refunded' and ${GIVEN_BACK}`
    case 'voided':
      return sql`p.status = 'voided' and ${GIVEN_BACK}`
    case 'failed':
      // Written in a form that does not match the index of declines by card, which has another order.
      return sql`(o.declined_at is not null) is true and ${LOST}`
    case 'reversed':
      return sql`o.state = 'REVERSED' and ${UNDONE}`
    case 'not_charged':
      return sql`o.state in ('NOT_SENT', 'NOT_CHARGED') and ${UNDONE}`
    case 'pending':
      return sql`o.state in ('SENT', 'IN_DOUBT', 'REVERSING') and o.id in ${openSales(businessId, now)}`
  }
}

/**
 * Selects the sales of a customer: their payments, the sales on their stored cards that took no money, and every
 * attempt on the sessions that the merchant made for them.
 */
const salesOfCustomer = (businessId: string, id: string) => sql`(
  select operation_id from payment where business_id = ${businessId}::uuid and customer_id = ${id}::uuid
  union all select l.id from operation l
    where l.business_id = ${businessId}::uuid and l.customer_id = ${id}::uuid and l.lost and l.parent_id is null
  union all ${attemptsOnSessions(businessId, id, sql`a.lost`)}
  union all ${attemptsOnSessions(businessId, id, sql`not a.lost`)}
)`

/**
 * @param isLost condition of an index: one index has the lost sales of a session, another the sale that is open or won
 */
const attemptsOnSessions = (businessId: string, customerId: string, isLost: RawBuilder<unknown>) => sql`
  select a.id from checkout_session s join operation a on a.business_id = s.business_id and a.owner_id = s.id
    where s.business_id = ${businessId}::uuid and s.customer_id = ${customerId}::uuid
      and ${isLost} and a.parent_id is null`

/**
 * An approval sets the code of its sale, so no index has it. The code of a sale that took no money is also in
 * `lost_code`.
 */
const codeIs = (code: string) => (code === 'AA' ? sql`o.code = 'AA'` : sql`o.lost_code = ${code}`)

/** A batch of the filter. If it is not settled yet, it will also take newer payments of its terminal. */
interface FilteredBatch {
  id: string
  open: { terminalId: string; afterPaymentId: string } | undefined
}

/**
 * Reads the batch beforehand: a statement planned for its values reads only its payments, one without them reads all
 * payments of the terminal.
 */
async function findBatch(db: Db, businessId: string, id: string): Promise<FilteredBatch> {
  const { rows } = await sql<{ terminalId: string; afterPaymentId: string }>`
    select terminal_id as "terminalId", after_payment_id as "afterPaymentId" from batch
    where business_id = ${businessId}::uuid and id = ${id}::uuid and status <> 'settled'`.execute(db)
  return { id, open: rows[0] }
}

function isIn({ id, open }: FilteredBatch): RawBuilder<unknown> {
  const isMember = sql`p.batch_id = ${id}::uuid`
  return open === undefined
    ? isMember
    : sql`(${isMember} or (p.batch_id is null and p.status <> 'failed'
        and p.terminal_id = ${open.terminalId}::uuid and p.id > ${open.afterPaymentId}::uuid))`
}

// These conditions find out without a scan what a business does not have at all, whatever other businesses of the
// database have.

const hasTerminal = (businessId: string, currency: string) =>
  sql`exists (select from terminal where business_id = ${businessId}::uuid and currency = ${currency})`

/** The usual trigger has no index, because most payments of subscriptions have it. */
const triggerIs = (businessId: string, trigger: PaymentTrigger) =>
  trigger === 'scheduled'
    ? sql`p.trigger = 'scheduled' and p.subscription_id is not null
        and exists (select from subscription where business_id = ${businessId}::uuid)`
    : sql`p.trigger = ${trigger}::payment_trigger`

/** Rows that a filter selects: `select <id> from <from> where <where>`. */
interface Selection {
  from: RawBuilder<unknown>
  /** Id of the sale. */
  id: RawBuilder<unknown>
  where: RawBuilder<unknown>
}

export async function selectedRows(db: Db, filter: PaymentFilter, now: Date): Promise<Selection> {
  const { businessId } = filter
  const source = sourceOf(filter)
  const { from, id, table } = source
  const batch = filter.batch === undefined ? undefined : await findBatch(db, businessId, filter.batch)
  const when = <Value>(value: Value | undefined, condition: (given: Value) => RawBuilder<unknown>) =>
    value === undefined ? [] : [condition(value)]
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const conditions = [
    sql`${column('business_id')} = ${businessId}::uuid`,
    ...(table === 'o' ? [sql`o.parent_id is null`] : []),
    ...when(filter.status, (status) => statusIs(status, businessId, now)),
    ...when(filter.owners, (owners) => sql`o.owner_kind = any(${owners}::charge_owner_kind[])`),
    ...when(filter.firstId, (first) => sql`${id} >= ${first}::uuid`),
    ...when(filter.endId, (end) => sql`${id} < ${end}::uuid`),
    ...when(filter.since, (at) => source.since(at, filter)),
    ...when(filter.until, (at) => source.until(at, filter)),
    ...when(filter.amount_from, (cents) => sql`${column('amount')} >= ${cents}`),
    ...when(filter.amount_to, (cents) => sql`${column('amount')} <= ${cents}`),
    ...when(filter.currency, (currency) => sql`${column('currency')} = ${currency}`),
    ...when(filter.currency, (currency) => hasTerminal(businessId, currency)),
    ...when(filter.brand, (brand) => sql`${column('card_brand')} = ${brand}`),
    ...when(filter.last4, (digits) => sql`${column('card_last4')} = ${digits}`),
    ...when(filter.code, codeIs),
    ...when(filter.trigger, (trigger) => triggerIs(businessId, trigger)),
    ...when(batch, isIn),
    ...when(filter.customer, (customer) => sql`${id} in ${salesOfCustomer(businessId, customer)}`),
    ...when(filter.subscription, (subscription) => sql`p.subscription_id = ${subscription}::uuid`),
    ...when(filter.open || undefined, () => sql`${id} in ${openSales(businessId, now)}`),
  ]
  return { from, id, where: sql.join(conditions, sql` and `) }
}

/**
 * Splits a filter into parts that together have every row once, for a count. The first part has the rows whose ids
 * alone prove their day.
 */
export async function countedParts(db: Db, filter: PaymentFilter, now: Date): Promise<Selection[]> {
  const { sureId, sureEndId, since, until, ...rest } = filter
  const parts = [filter]
  const isKnown = sourceOf(filter) === SALES && (since !== undefined || until !== undefined)
  if (isKnown && !(sureId !== undefined && sureEndId !== undefined && sureId >= sureEndId)) {
    parts.splice(0, 1, { ...rest, firstId: sureId, endId: sureEndId })
    if (sureEndId !== undefined) parts.push({ ...filter, firstId: sureEndId })
    if (sureId !== undefined) parts.push({ ...filter, endId: sureId })
  }
  return Promise.all(parts.map((part) => selectedRows(db, part, now)))
}
