import type { Metadata } from '../../contract/formats.ts'
import type { Interval } from '../catalog/cadence.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Bill, BillClosedReason } from './bill.ts'
import { type ContractJson, contractFrom } from './contract-row.ts'
import type { Pause, PauseMode, PauseStatus, ResumePath, UnusedTimeBehavior } from './pause.ts'
import type { Day } from './plan/calendar.ts'
import type { LoadedSubscription, Subscription, SubscriptionItem, SubscriptionStatus } from './subscription.ts'

/**
 * Columns of a subscription `s`, with its open bill and its unresolved pause as JSON, and whether a charge of either is
 * open.
 */
export const LOADED_COLUMNS = `s.*,
  (select to_jsonb(b) from bill b
    where b.business_id = s.business_id and b.subscription_id = s.id and b.status = 'PENDING') as open_bill,
  (select to_jsonb(u) from subscription_pause u
    where u.business_id = s.business_id and u.subscription_id = s.id and u.status in ('pending', 'active')) as open_pause,
  exists (select from operation o where o.business_id = s.business_id and not o.lost and o.parent_id is null
    and o.state <> 'APPROVED' and o.owner_id in (
      select b.id from bill b
        where b.business_id = s.business_id and b.subscription_id = s.id and b.status = 'PENDING'
      union all select u.id from subscription_pause u
        where u.business_id = s.business_id and u.subscription_id = s.id and u.status = 'active')) as is_charging,
  case when s.contract_id is not null then (
    select to_jsonb(k) from contract k where k.business_id = s.business_id and k.id = s.contract_id) end as contract`

/** Row of `LOADED_COLUMNS`. Days are text. */
export interface LoadedRow {
  business_id: string
  id: string
  customer_id: string
  stored_card_id: string | null
  status: SubscriptionStatus
  currency: Currency
  time_zone: string
  items: { id: string; price: string; quantity: number }[]
  interval_unit: Interval
  interval_count: number
  unit_amount: number
  quantity: number
  tax_rate_ppm: number | null
  tax_amount: number
  surcharge_rate_ppm: number | null
  surcharge_amount: number
  amount: number
  installments: number | null
  paid_bills: number
  start_date: string
  anchor_date: string
  segment_no: number
  next_period_no: number
  next_billing_date: string | null
  current_period_start: string | null
  current_period_end: string | null
  paid_through_at: Date | null
  covering_payment_id: string | null
  covering_from: Date | null
  covering_seconds: number | null
  last_payment_at: Date | null
  latest_payment_id: string | null
  last_failed_attempt_at: Date | null
  catch_up_held_at: Date | null
  catch_up_through: string | null
  cancel_at: Date | null
  canceled_at: Date | null
  ended_at: Date | null
  cancellation_comment: string | null
  cancellation_reason: string | null
  contract_id: string | null
  checkout_session_id: string | null
  sends_payment_link: boolean
  metadata: Metadata
  due_at: Date | null
  version: number
  created_at: Date
  open_bill: BillJson | null
  open_pause: PauseJson | null
  is_charging: boolean
  contract: ContractJson | null
}

/** Row of `bill` as JSON, with instants as text. */
interface BillJson {
  id: string
  segment_no: number
  period_no: number
  period_start: string
  period_end: string
  status: Bill['status']
  closed_reason: BillClosedReason | null
  failed_attempts: number
  next_attempt_at: string | null
  last_attempt_at: string | null
  payment_id: string | null
  created_at: string
  closed_at: string | null
}

/** Row of `subscription_pause` as JSON, with instants as text. */
interface PauseJson {
  id: string
  status: PauseStatus
  mode: PauseMode
  reason: string | null
  unused_time_behavior: UnusedTimeBehavior | null
  scheduled_for: string | null
  paused_at: string | null
  paid_through_at: string | null
  remaining_paid_seconds: number | null
  refund_confirmed: boolean
  refund_reference: string | null
  refund_note: string | null
  resume_mode: ResumePath | null
  resumed_at: string | null
  created_at: string
}

export function loadedFrom(row: LoadedRow): LoadedSubscription {
  return {
    subscription: subscriptionFrom(row),
    bill: row.open_bill && billFrom(row.open_bill),
    pause: row.open_pause && pauseFrom(row.open_pause),
    isCharging: row.is_charging,
    ...(row.contract && { contract: contractFrom(row.contract) }),
  }
}

const itemFrom = ({ id, price, quantity }: LoadedRow['items'][number]): SubscriptionItem => ({
  id,
  priceId: price,
  quantity,
})

function subscriptionFrom(row: LoadedRow): Subscription {
  return {
    businessId: row.business_id,
    id: row.id,
    customerId: row.customer_id,
    storedCardId: row.stored_card_id,
    status: row.status,
    currency: row.currency,
    timeZone: row.time_zone,
    items: row.items.map(itemFrom),
    cadence: { interval: row.interval_unit, count: row.interval_count },
    unitAmount: row.unit_amount as Cents,
    quantity: row.quantity,
    taxRatePpm: row.tax_rate_ppm,
    taxAmount: row.tax_amount as Cents,
    surchargeRatePpm: row.surcharge_rate_ppm,
    surchargeAmount: row.surcharge_amount as Cents,
    amount: row.amount as Cents,
    installments: row.installments,
    paidBills: row.paid_bills,
    startDate: row.start_date as Day,
    anchorDate: row.anchor_date as Day,
    segmentNo: row.segment_no,
    nextPeriodNo: row.next_period_no,
    nextBillingDate: row.next_billing_date as Day | null,
    currentPeriod: periodFrom(row),
    paid: paidFrom(row),
    lastPaymentAt: row.last_payment_at,
    latestPaymentId: row.latest_payment_id,
    lastFailedAttemptAt: row.last_failed_attempt_at,
    catchUpHeldAt: row.catch_up_held_at,
    catchUpThrough: row.catch_up_through as Day | null,
    cancelAt: row.cancel_at,
    canceledAt: row.canceled_at,
    endedAt: row.ended_at,
    cancellationComment: row.cancellation_comment,
    cancellationReason: row.cancellation_reason,
    contractId: row.contract_id,
    checkoutSessionId: row.checkout_session_id,
    sendsPaymentLink: row.sends_payment_link,
    metadata: row.metadata,
    dueAt: row.due_at,
    version: row.version,
    createdAt: row.created_at,
  }
}

function periodFrom({
  current_period_start: start,
  current_period_end: end,
}: LoadedRow): Subscription['currentPeriod'] {
  return start === null || end === null ? null : { start: start as Day, end: end as Day }
}

function paidFrom(row: LoadedRow): Subscription['paid'] {
  const { paid_through_at: throughAt, covering_from: from, covering_seconds: seconds } = row
  if (throughAt === null || from === null || seconds === null) return null
  return { paymentId: row.covering_payment_id, from, throughAt, seconds }
}

const instant = (text: string | null) => (text === null ? null : new Date(text))

function billFrom(row: BillJson): Bill {
  return {
    id: row.id,
    segmentNo: row.segment_no,
    periodNo: row.period_no,
    periodStart: row.period_start as Day,
    periodEnd: row.period_end as Day,
    status: row.status,
    closedReason: row.closed_reason,
    failedAttempts: row.failed_attempts,
    nextAttemptAt: instant(row.next_attempt_at),
    lastAttemptAt: instant(row.last_attempt_at),
    paymentId: row.payment_id,
    createdAt: new Date(row.created_at),
    closedAt: instant(row.closed_at),
  }
}

function pauseFrom(row: PauseJson): Pause {
  return {
    id: row.id,
    status: row.status,
    mode: row.mode,
    reason: row.reason,
    unusedTimeBehavior: row.unused_time_behavior,
    scheduledFor: instant(row.scheduled_for),
    pausedAt: instant(row.paused_at),
    paidThroughAt: instant(row.paid_through_at),
    remainingPaidSeconds: row.remaining_paid_seconds ?? 0,
    refundConfirmed: row.refund_confirmed,
    refundReference: row.refund_reference,
    refundNote: row.refund_note,
    resumeMode: row.resume_mode,
    resumedAt: instant(row.resumed_at),
    createdAt: new Date(row.created_at),
  }
}
