import type {
  SubscriptionContract,
  Subscription as SubscriptionObject,
  SubscriptionPause,
} from '../../contract/subscription.ts'
import { type Price, priceObject } from '../catalog/price.ts'
import { epochSeconds } from '../lib/clock.ts'
import { percentOf } from '../lib/rate.ts'
import type { Bill } from './bill.ts'
import type { Pause } from './pause.ts'
import { type Day, instantOf } from './plan/calendar.ts'
import { installmentsRemaining, type LoadedSubscription, type Subscription } from './subscription.ts'

/** What the object shows beyond the subscription's own rows. */
export interface SubscriptionDetails {
  /** Prices of the items, by id. */
  prices: ReadonlyMap<string, Price>
  contract: SubscriptionContract | null
  /** Page where the customer enters the card; `null` if there is nothing to enter. */
  checkoutUrl: string | null
}

/**
 * Returns the subscription as the merchant API and its events show it.
 *
 * @see SUB-8
 */
export function subscriptionObject(
  { subscription, bill, pause }: Omit<LoadedSubscription, 'isCharging'>,
  { prices, contract, checkoutUrl }: SubscriptionDetails,
): SubscriptionObject {
  const { id, status, customerId, storedCardId, items, cadence, installments, paidBills } = subscription
  return {
    id,
    object: 'subscription',
    status,
    customer: customerId,
    payment_method: storedCardId,
    price: items[0]?.priceId ?? '',
    items: itemsObject(items, prices),
    ...moneyOf(subscription),
    interval: cadence.interval,
    interval_count: cadence.count,
    installments,
    installments_billed: paidBills,
    installments_remaining: installmentsRemaining(subscription),
    ...scheduleOf(subscription),
    ...retriesOf(bill),
    ...cancellationOf(subscription),
    pause_at: pause?.status === 'pending' ? epoch(pause.scheduledFor) : null,
    paused_at: epoch(pause?.pausedAt ?? null),
    pause_reason: pause?.reason ?? null,
    pause: pause && pauseObject(pause),
    contract,
    checkout_url: checkoutUrl,
    metadata: subscription.metadata,
    created: epochSeconds(subscription.createdAt),
  }
}

const epoch = (instant: Date | null) => instant && epochSeconds(instant)

function itemsObject(items: Subscription['items'], prices: SubscriptionDetails['prices']): SubscriptionObject['items'] {
  const data = items.flatMap(({ id, priceId, quantity }) => {
    const price = prices.get(priceId)
    return price ? [{ id, object: 'subscription_item' as const, price: priceObject(price), quantity }] : []
  })
  return { object: 'list', data, has_more: false }
}

function moneyOf({ currency, unitAmount, quantity, ...money }: Subscription) {
  const { taxRatePpm, taxAmount, surchargeRatePpm, surchargeAmount, amount } = money
  return {
    currency: currency === 'USD' ? ('usd' as const) : ('cad' as const),
    unit_amount: unitAmount,
    quantity,
    surcharge_rate: surchargeRatePpm === null ? null : percentOf(surchargeRatePpm),
    surcharge_amount: surchargeAmount,
    tax_rate: taxRatePpm === null ? null : percentOf(taxRatePpm),
    tax_amount: taxAmount,
    amount,
  }
}

function scheduleOf({ timeZone, currentPeriod, nextBillingDate, ...schedule }: Subscription) {
  const at = (day: Day | null | undefined) => (day ? epochSeconds(instantOf(day, timeZone)) : null)
  return {
    start_date: schedule.startDate,
    billing_cycle_anchor: schedule.anchorDate,
    current_period_start: at(currentPeriod?.start),
    current_period_end: at(currentPeriod?.end),
    next_billing_at: at(nextBillingDate),
    last_payment_at: epoch(schedule.lastPaymentAt),
    latest_payment: schedule.latestPaymentId,
    last_failed_attempt_at: epoch(schedule.lastFailedAttemptAt),
  }
}

function retriesOf(bill: Bill | null) {
  const retries = bill?.failedAttempts ?? 0
  return { retry_count: retries, next_retry_at: retries > 0 && bill ? epoch(bill.nextAttemptAt) : null }
}

function cancellationOf({ cancelAt, canceledAt, endedAt, ...cancellation }: Subscription) {
  const { cancellationComment: comment, cancellationReason: reason } = cancellation
  return {
    cancel_at_period_end: cancelAt !== null && canceledAt === null,
    cancel_at: epoch(cancelAt),
    canceled_at: epoch(canceledAt),
    ended_at: epoch(endedAt),
    cancellation_details: comment === null && reason === null ? null : { comment, reason },
  }
}

/** @see SUB-20, SUB-38 */
export function pauseObject(pause: Pause): SubscriptionPause {
  const { unusedTimeBehavior, refundConfirmed } = pause
  // Both times are always numbers. For a scheduled pause, `paused_at` is the time at which it begins; without paid
  // time, `paid_through_at` is the time of the pause.
  const pausedAt = pause.pausedAt ?? pause.scheduledFor ?? pause.createdAt
  return {
    id: pause.id,
    status: pause.status,
    mode: pause.mode,
    reason: pause.reason,
    unused_time_behavior: unusedTimeBehavior,
    scheduled_for: epoch(pause.scheduledFor),
    paused_at: epochSeconds(pausedAt),
    paid_through_at: epochSeconds(pause.paidThroughAt ?? pausedAt),
    remaining_paid_seconds: pause.remainingPaidSeconds,
    requires_external_refund_confirmation: unusedTimeBehavior === 'external_refund' && !refundConfirmed,
    refund_reference: pause.refundReference,
    refund_note: pause.refundNote,
    resume_mode: pause.resumeMode,
    resumed_at: epoch(pause.resumedAt),
  }
}
