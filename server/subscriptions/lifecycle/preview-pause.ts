import type { PausePreview } from '../../../contract/subscription.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Cents } from '../../lib/money.ts'
import type { PauseMode } from '../pause.ts'
import { instantOf } from '../plan/calendar.ts'
import { type PrepaidTime, prepaidTimeAt } from '../plan/prepaid.ts'
import type { Subscription } from '../subscription.ts'
import { type LifecycleServices, readCurrentSubscription, type WhichSubscription } from './change-subscription.ts'
import { findCoveringPayment } from './covering-payment.ts'
import { requirePausable } from './pausable.ts'
import { endOfRunningPeriod } from './running-period.ts'

/**
 * Returns what a pause would do now.
 *
 * @throws ApiError `not_found`; `conflict` if the subscription cannot be paused in this way
 * @see SUB-19, SUB-36
 */
export async function previewPause(
  services: LifecycleServices,
  { mode, ...which }: WhichSubscription & { mode: PauseMode },
): Promise<PausePreview> {
  const loaded = await readCurrentSubscription(services, which)
  requirePausable(loaded, mode)
  const now = businessNow(services.clock, which.business)
  const { subscription } = loaded
  const time = mode === 'period_end' ? untilPeriodEnd(subscription, now) : await leftNow(services, subscription, now)
  return {
    object: 'subscription_pause_preview',
    pause_mode: mode,
    requires_unused_time_choice: mode === 'immediate' && time.remainingSeconds > 0,
    remaining_paid_days: time.remainingDays,
    unused_prepaid_amount: time.unusedAmount,
    suggested_refund_amount: time.suggestedRefund,
  }
}

async function leftNow({ db }: LifecycleServices, subscription: Subscription, now: Date): Promise<PrepaidTime> {
  const covering = await findCoveringPayment(db, subscription)
  return prepaidTimeAt({ at: now, zone: subscription.timeZone, covering })
}

/** Returns the days until the pause, with no time left unused. */
function untilPeriodEnd(subscription: Subscription, now: Date): PrepaidTime {
  const { timeZone: zone } = subscription
  const nothing = { amount: 0 as Cents, refundedAmount: 0 as Cents, voided: false }
  const periodEnd = instantOf(endOfRunningPeriod(subscription, now), zone)
  return prepaidTimeAt({ at: now, zone, covering: { ...nothing, periodStart: new Date(0), periodEnd } })
}
