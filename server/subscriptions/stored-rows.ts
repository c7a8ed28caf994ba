import type { Bill } from './bill.ts'
import type { Pause } from './pause.ts'
import type { Subscription } from './subscription.ts'

// Rows to be written, as JSON: PostgreSQL converts them with `jsonb_populate_record`.

/** Returns the row of a subscription as JSON, for `jsonb_populate_record`. */
export function rowOfSubscription(one: Subscription) {
  return {
    business_id: one.businessId,
    id: one.id,
    customer_id: one.customerId,
    stored_card_id: one.storedCardId,
    status: one.status,
    currency: one.currency,
    time_zone: one.timeZone,
    items: one.items.map(({ id, priceId, quantity }) => ({ id, price: priceId, quantity })),
    interval_unit: one.cadence.interval,
    interval_count: one.cadence.count,
    unit_amount: one.unitAmount,
    quantity: one.quantity,
    tax_rate_ppm: one.taxRatePpm,
    tax_amount: one.taxAmount,
    surcharge_rate_ppm: one.surchargeRatePpm,
    surcharge_amount: one.surchargeAmount,
    amount: one.amount,
    installments: one.installments,
    paid_bills: one.paidBills,
    start_date: one.startDate,
    anchor_date: one.anchorDate,
    segment_no: one.segmentNo,
    next_period_no: one.nextPeriodNo,
    next_billing_date: one.nextBillingDate,
    current_period_start: one.currentPeriod?.start ?? null,
    current_period_end: one.currentPeriod?.end ?? null,
    ...paidColumns(one),
    last_payment_at: one.lastPaymentAt,
    latest_payment_id: one.latestPaymentId,
    last_failed_attempt_at: one.lastFailedAttemptAt,
    catch_up_held_at: one.catchUpHeldAt,
    catch_up_through: one.catchUpThrough,
    cancel_at: one.cancelAt,
    canceled_at: one.canceledAt,
    ended_at: one.endedAt,
    cancellation_comment: one.cancellationComment,
    cancellation_reason: one.cancellationReason,
    contract_id: one.contractId,
    checkout_session_id: one.checkoutSessionId,
    sends_payment_link: one.sendsPaymentLink,
    metadata: one.metadata,
    due_at: one.dueAt,
    version: one.version,
    created_at: one.createdAt,
  }
}

const paidColumns = ({ paid }: Subscription) => ({
  paid_through_at: paid?.throughAt ?? null,
  covering_payment_id: paid?.paymentId ?? null,
  covering_from: paid?.from ?? null,
  covering_seconds: paid?.seconds ?? null,
})

/** Returns the row of a bill as JSON, for `jsonb_populate_recordset`. */
export function rowOfBill({ businessId, id: subscriptionId }: Subscription, bill: Bill) {
  return {
    business_id: businessId,
    id: bill.id,
    subscription_id: subscriptionId,
    segment_no: bill.segmentNo,
    period_no: bill.periodNo,
    period_start: bill.periodStart,
    period_end: bill.periodEnd,
    status: bill.status,
    closed_reason: bill.closedReason,
    failed_attempts: bill.failedAttempts,
    next_attempt_at: bill.nextAttemptAt,
    last_attempt_at: bill.lastAttemptAt,
    payment_id: bill.paymentId,
    created_at: bill.createdAt,
    closed_at: bill.closedAt,
  }
}

/** Returns the row of a pause as JSON, for `jsonb_populate_recordset`. */
export function rowOfPause({ businessId, id: subscriptionId }: Subscription, pause: Pause) {
  return {
    business_id: businessId,
    id: pause.id,
    subscription_id: subscriptionId,
    status: pause.status,
    mode: pause.mode,
    reason: pause.reason,
    unused_time_behavior: pause.unusedTimeBehavior,
    scheduled_for: pause.scheduledFor,
    paused_at: pause.pausedAt,
    paid_through_at: pause.paidThroughAt,
    remaining_paid_seconds: pause.remainingPaidSeconds,
    refund_confirmed: pause.refundConfirmed,
    refund_reference: pause.refundReference,
    refund_note: pause.refundNote,
    resume_mode: pause.resumeMode,
    resumed_at: pause.resumedAt,
    created_at: pause.createdAt,
  }
}
