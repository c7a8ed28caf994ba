import type { CardChangePreview } from '../../../contract/dashboard/bill-views.ts'
import { businessNow } from '../../businesses/business.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { epochSeconds } from '../../lib/clock.ts'
import {
  type LifecycleServices,
  readCurrentSubscription,
  type WhichSubscription,
} from '../../subscriptions/lifecycle/change-subscription.ts'
import { planReplacement } from '../../subscriptions/lifecycle/replace-card.ts'
import { ATTEMPTS_MAX } from '../../subscriptions/plan/retries.ts'
import { previewHash } from '../preview-hash.ts'
import { cardView } from './subscription-summary.ts'

/**
 * Previews a change of the card: which card it is, and what it is charged next and when.
 *
 * @throws ApiError `not_found`, also for another customer's card; `conflict` unless the subscription is active or
 * paused
 * @see SUB-47, BIL-18
 */
export async function previewCardChange(
  { db, clock }: Pick<LifecycleServices, 'db' | 'clock'>,
  { cardId, ...which }: WhichSubscription & { cardId: string },
): Promise<CardChangePreview> {
  const { business } = which
  const { subscription, bill, isCharging } = await readCurrentSubscription({ db, clock }, which)
  const now = businessNow(clock, business)
  const { card, refusal, after } = await planReplacement(db, { subscription, business, cardId }, now)
  const from = await findBilledCard(db, business.id, subscription.storedCardId)
  const { amount } = after
  const shown = {
    object: 'subscription_card_preview' as const,
    from: from ? cardView(from) : null,
    to: cardView(card),
    refusal,
    currency: subscription.currency === 'USD' ? ('usd' as const) : ('cad' as const),
    amount_before: subscription.amount,
    amount,
    is_charging: isCharging,
    retry: bill && {
      attempt: bill.failedAttempts + 1,
      of: ATTEMPTS_MAX,
      at: bill.nextAttemptAt && epochSeconds(bill.nextAttemptAt),
      amount,
    },
    next_billing_date: subscription.nextBillingDate,
  }
  return { ...shown, preview_hash: previewHash(shown) }
}
