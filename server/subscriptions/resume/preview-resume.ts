import type { ResumePreview } from '../../../contract/subscription.ts'
import { businessNow } from '../../businesses/business.ts'
import {
  type LifecycleServices,
  readCurrentSubscription,
  type WhichSubscription,
} from '../lifecycle/change-subscription.ts'
import { type Anchor, offerResume } from './resumable.ts'

/**
 * Returns what a resume would do now.
 *
 * @throws ApiError `not_found`; `conflict` if the subscription cannot be resumed
 * @see SUB-30
 */
export async function previewResume(
  services: LifecycleServices,
  { anchor, ...which }: WhichSubscription & { anchor: Anchor },
): Promise<ResumePreview> {
  const loaded = await readCurrentSubscription(services, which)
  const { terms, path, quote } = offerResume(loaded, anchor, businessNow(services.clock, which.business))
  return {
    object: 'subscription_resume_preview',
    resume_path: path,
    charge_due_today: terms.chargeDueToday,
    payment_required_to_reactivate: terms.isQuoted,
    quote_hash: quote,
    new_period_start: terms.newPeriodStart,
    new_period_end: terms.newPeriodEnd,
    next_billing_date: terms.nextBillingDay,
  }
}
