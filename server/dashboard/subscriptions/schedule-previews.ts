import type {
  CancelPreview,
  Dropped,
  PausePreviewPage,
  ResumeChoice,
  ResumePreviews,
} from '../../../contract/dashboard/subscription-views.ts'
import type { ResumePreview } from '../../../contract/subscription.ts'
import { businessNow } from '../../businesses/business.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { requireCancelable } from '../../subscriptions/lifecycle/cancelable.ts'
import {
  type LifecycleServices,
  readCurrentSubscription,
  type WhichSubscription,
} from '../../subscriptions/lifecycle/change-subscription.ts'
import { previewPause } from '../../subscriptions/lifecycle/preview-pause.ts'
import { endOfRunningPeriod } from '../../subscriptions/lifecycle/running-period.ts'
import type { PauseMode } from '../../subscriptions/pause.ts'
import { type Day, dayOf, daysBetween, instantOf } from '../../subscriptions/plan/calendar.ts'
import { ATTEMPTS_MAX } from '../../subscriptions/plan/retries.ts'
import { previewResume } from '../../subscriptions/resume/preview-resume.ts'
import { firstUnpaidDay, type LoadedSubscription, type Subscription } from '../../subscriptions/subscription.ts'
import { previewHash } from '../preview-hash.ts'
import { paidThroughView } from './paid-through-view.ts'
import { cardView } from './subscription-summary.ts'

/**
 * Returns the retries of the open bill that are dropped by pausing or canceling now. An attempt that is being made is
 * not dropped.
 */
function droppedBy({ bill, subscription, isCharging }: LoadedSubscription, isNow: boolean): Dropped {
  const left = bill && isNow ? ATTEMPTS_MAX - bill.failedAttempts - (isCharging ? 1 : 0) : 0
  return left > 0 ? { attempts: left, amount: subscription.amount } : { attempts: 0, amount: 0 }
}

/**
 * Previews a pause. The hash leaves out what changes by the second: the paid time that is left, and its value.
 *
 * @see SUB-52
 * @throws ApiError `not_found`, `conflict`
 */
export async function pausePreviewPage(
  services: LifecycleServices,
  { mode, ...which }: WhichSubscription & { mode: PauseMode },
): Promise<PausePreviewPage> {
  const loaded = await readCurrentSubscription(services, which)
  const preview = await previewPause(services, { ...which, mode })
  const { subscription } = loaded
  const now = businessNow(services.clock, which.business)
  const isNow = mode === 'immediate'
  const at = isNow ? now : instantOf(endOfRunningPeriod(subscription, now), subscription.timeZone)
  const view = {
    effective_at: epochSeconds(at),
    ...paidThroughView(subscription),
    dropped: droppedBy(loaded, isNow),
    covering_payment: subscription.paid?.paymentId ?? null,
  }
  const { requires_unused_time_choice } = preview
  const { effective_at, ...steady } = view
  const figures = { mode, requires_unused_time_choice, ...steady, ...(!isNow && { effective_at }) }
  return { ...preview, view, preview_hash: previewHash(figures) }
}

/** @throws ApiError `not_found`, `conflict` */
export async function resumePreviews(services: LifecycleServices, which: WhichSubscription): Promise<ResumePreviews> {
  const { subscription } = await readCurrentSubscription(services, which)
  const [now, unchanged] = await Promise.all([
    previewResume(services, { ...which, anchor: 'now' }),
    previewResume(services, { ...which, anchor: 'unchanged' }),
  ])
  const card = await findBilledCard(services.db, which.business.id, subscription.storedCardId)
  const today = dayOf(businessNow(services.clock, which.business), subscription.timeZone)
  return {
    object: 'subscription_resume_previews',
    now: withFreeDays(now, subscription, today),
    unchanged: withFreeDays(unchanged, subscription, today),
    card: card ? cardView(card) : null,
    currency: subscription.currency === 'USD' ? 'usd' : 'cad',
  }
}

/**
 * Adds the days before the next bill that are paid for neither by a charge of today nor by earlier payments (SUB-29).
 */
function withFreeDays(preview: ResumePreview, subscription: Subscription, today: Day): ResumeChoice {
  const next = preview.next_billing_date as Day
  const paid = preview.resume_path === 'from_today' ? next : (firstUnpaidDay(subscription) ?? today)
  return { ...preview, free_days: Math.max(0, daysBetween(paid > today ? paid : today, next)) }
}

/** @throws ApiError `not_found`, `conflict` */
export async function cancelPreview(
  services: LifecycleServices,
  { mode, ...which }: WhichSubscription & { mode: CancelPreview['mode'] },
): Promise<CancelPreview> {
  const loaded = await readCurrentSubscription(services, which)
  const { subscription, pause } = loaded
  requireCancelable(subscription, mode)
  const now = businessNow(services.clock, which.business)
  const isNow = mode === 'now'
  const at = isNow ? now : instantOf(endOfRunningPeriod(subscription, now), subscription.timeZone)
  const shown = {
    object: 'subscription_cancel_preview' as const,
    mode,
    dropped: droppedBy(loaded, isNow),
    clears_pause: pause !== null,
    latest_payment: subscription.paid?.paymentId ?? null,
  }
  const { status } = subscription
  const figures = { ...shown, status, ...(!isNow && { at: epochSeconds(at) }) }
  return { ...shown, effective_at: epochSeconds(at), preview_hash: previewHash(figures) }
}
