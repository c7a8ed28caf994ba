import type { Retried, RetryBlock, RetryPreview } from '../../../contract/dashboard/subscription-views.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { BillServices } from '../../subscriptions/bills/bill-charge.ts'
import { retryNow } from '../../subscriptions/bills/retry-now.ts'
import { chargeRefusal } from '../../subscriptions/charge-refusal.ts'
import { isUnsigned } from '../../subscriptions/contract.ts'
import { readCurrentSubscription, type WhichSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import { previewHash } from '../preview-hash.ts'
import { attemptMarks } from './attempt-marks.ts'
import { listAttempts } from './subscription-page-queries.ts'
import { cardView } from './subscription-summary.ts'

/** @throws ApiError `not_found` */
export async function previewRetry(services: BillServices, which: WhichSubscription): Promise<RetryPreview> {
  const loaded = await readCurrentSubscription(services, which)
  const { subscription, bill, isCharging } = loaded
  const { businessId, id: subscriptionId, timeZone, amount } = subscription
  const card = await findBilledCard(services.db, businessId, subscription.storedCardId)
  const payments = bill ? await listAttempts(services.db, { businessId, subscriptionId }) : []
  const ofBill = payments.filter(({ billId }) => billId === bill?.id)
  const shown = {
    object: 'subscription_retry_preview' as const,
    amount,
    currency: subscription.currency === 'USD' ? ('usd' as const) : ('cad' as const),
    marks: bill ? attemptMarks({ bill, payments: ofBill, timeZone, isCharging }) : [],
    next_attempt_at: bill?.nextAttemptAt ? epochSeconds(bill.nextAttemptAt) : null,
    card: card ? cardView(card) : null,
    blocked: blockOf(loaded, card),
  }
  return { ...shown, preview_hash: previewHash(shown) }
}

function blockOf(loaded: LoadedSubscription, card: BilledCard | undefined): RetryBlock | null {
  const { subscription, bill, isCharging } = loaded
  if (subscription.status === 'paused') return 'paused'
  if (isCharging) return 'charging'
  if (bill === null) return 'no_bill'
  if (isUnsigned(loaded)) return 'contract_unsigned'
  if (!card || card.detachedAt !== null) return 'card_detached'
  return card.chargeBlock === null ? null : 'card_blocked'
}

/**
 * Charges the open bill now. Recovery resolves an unknown outcome, and the page says so (DSH-6).
 *
 * @throws ApiError `not_found`, `conflict`, `contract_unsigned`; `unavailable` when nothing was sent
 */
export async function retryBill(services: BillServices, { business, id }: WhichSubscription): Promise<Retried> {
  try {
    const payment = await retryNow(services, { business, subscriptionId: id })
    const isPaid = payment.status !== 'failed'
    return {
      object: 'subscription_retry',
      outcome: isPaid ? 'approved' : 'declined',
      payment: payment.id,
      code: isPaid ? null : payment.code,
      message: isPaid ? null : payment.message,
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gateway_timeout')
      return { object: 'subscription_retry', outcome: 'unknown', payment: null, code: null, message: null }
    throw chargeRefusal(error)
  }
}
