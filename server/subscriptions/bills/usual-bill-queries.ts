import type { Placeholders, Values } from '../../db/statement.ts'
import { eventsMembers, eventsValues } from '../../events/event-queries.ts'
import type { Bill } from '../bill.ts'
import type { SubscriptionChange } from '../change-queries.ts'
import type { Subscription } from '../subscription.ts'

// Statements for the two changes of nearly every bill: opening and payment. They write only the columns that change;
// the members of change-queries.ts write any other change as a whole row. Both compare the version, so the remaining
// columns still have the values that were read.

type Change = Pick<SubscriptionChange, 'before' | 'after' | 'bills' | 'pauses'>

const OPENED: ReadonlySet<string> = new Set<keyof Subscription>(['currentPeriod', 'nextPeriodNo', 'nextBillingDate'])
const PAID: ReadonlySet<string> = new Set<keyof Subscription>([
  'paidBills',
  'lastPaymentAt',
  'latestPaymentId',
  'paid',
  'dueAt',
])
const CLOSING: ReadonlySet<string> = new Set<keyof Bill>(['status', 'nextAttemptAt', 'paymentId', 'closedAt'])

/** Whether only these members differ. Compares by identity: an unchanged member must be the same object. */
const differOnlyIn = <One extends object>(before: One, after: One, members: ReadonlySet<string>) =>
  Object.keys(after).every(
    (member) => members.has(member) || after[member as keyof One] === before[member as keyof One],
  )

/** @returns the new bill if opening it is all that the change does; otherwise `null` */
export function openedBill({ before, after, bills = [] }: Change): Bill | null {
  const [bill, ...more] = bills
  const isUsual = before.bill === null && more.length === 0 && differOnlyIn(before.subscription, after, OPENED)
  return isUsual && bill?.status === 'PENDING' ? bill : null
}

/** @returns the bill after its payment if that payment is all that the change does; otherwise `null` */
export function fulfilledBill({ before, after, bills = [], pauses = [] }: Change): Bill | null {
  const [bill, ...more] = bills
  if (!bill || before.bill === null || more.length > 0 || pauses.length > 0) return null
  const isUsual = differOnlyIn(before.subscription, after, PAID) && differOnlyIn(before.bill, bill, CLOSING)
  return isUsual && bill.status === 'FULFILLED' ? bill : null
}

/** Members `saved` and `billed` of a `with`; they write if the source has a row. */
export const openedMembers = (p: Placeholders, source: string) => `saved as (
    update subscription s set version = s.version + 1, next_period_no = ${p.nextPeriodNo}::integer,
      next_billing_date = ${p.nextBillingDate}::date, current_period_start = ${p.currentStart}::date,
      current_period_end = ${p.currentEnd}::date
    from ${source} as source where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid
    returning source.*
  ), billed as (
    insert into bill (business_id, id, subscription_id, segment_no, period_no, period_start, period_end, status,
      failed_attempts, next_attempt_at, last_attempt_at, created_at)
    select ${p.businessId}::uuid, ${p.billId}::uuid, ${p.subscriptionId}::uuid, ${p.segmentNo}::integer, ${p.periodNo}::integer,
      ${p.periodStart}::date, ${p.periodEnd}::date, 'PENDING', ${p.failedAttempts}::smallint,
      ${p.nextAttemptAt}::timestamptz, ${p.lastAttemptAt}::timestamptz, ${p.createdAt}::timestamptz
    from saved as source
  )`

export const openedValues = ({ before, after }: Change, bill: Bill): Values => ({
  ...versionValues({ before, after }),
  nextPeriodNo: after.nextPeriodNo,
  nextBillingDate: after.nextBillingDate,
  currentStart: after.currentPeriod?.start ?? null,
  currentEnd: after.currentPeriod?.end ?? null,
  billId: bill.id,
  segmentNo: bill.segmentNo,
  periodNo: bill.periodNo,
  periodStart: bill.periodStart,
  periodEnd: bill.periodEnd,
  failedAttempts: bill.failedAttempts,
  nextAttemptAt: bill.nextAttemptAt,
  lastAttemptAt: bill.lastAttemptAt,
  createdAt: bill.createdAt,
})

/** Members `saved`, `billed` and `recorded` of a `with`; they write if the source has a row. */
export const fulfilledMembers = (p: Placeholders, source: string) => `saved as (
    update subscription s set version = s.version + 1, paid_bills = ${p.paidBills}::integer,
      paid_through_at = ${p.paidThroughAt}::timestamptz, covering_payment_id = ${p.coveringPaymentId}::uuid,
      covering_from = ${p.coveringFrom}::timestamptz, covering_seconds = ${p.coveringSeconds}::bigint,
      last_payment_at = ${p.lastPaymentAt}::timestamptz, latest_payment_id = ${p.latestPaymentId}::uuid,
      due_at = ${p.dueAt}::timestamptz
    from ${source} as source where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid
    returning source.*
  ), billed as (
    update bill b set status = 'FULFILLED', next_attempt_at = ${p.nextAttemptAt}::timestamptz,
      payment_id = ${p.billPaymentId}::uuid, closed_at = ${p.closedAt}::timestamptz
    from saved as source where b.business_id = ${p.businessId}::uuid and b.id = ${p.billId}::uuid
  ), ${eventsMembers(p, 'saved')}`

export const fulfilledValues = ({ before, after, events = [] }: SubscriptionChange, bill: Bill): Values => ({
  ...versionValues({ before, after }),
  paidBills: after.paidBills,
  paidThroughAt: after.paid?.throughAt ?? null,
  coveringPaymentId: after.paid?.paymentId ?? null,
  coveringFrom: after.paid?.from ?? null,
  coveringSeconds: after.paid?.seconds ?? null,
  lastPaymentAt: after.lastPaymentAt,
  latestPaymentId: after.latestPaymentId,
  dueAt: after.dueAt,
  billId: bill.id,
  nextAttemptAt: bill.nextAttemptAt,
  billPaymentId: bill.paymentId,
  closedAt: bill.closedAt,
  ...eventsValues(events),
})

const versionValues = ({ before, after }: Pick<Change, 'before' | 'after'>): Values => ({
  businessId: after.businessId,
  subscriptionId: after.id,
  version: before.subscription.version,
})
