import type { Retried, RetryBlock, RetryPreview } from '../../../contract/dashboard/bill-views.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCard } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { isOpen } from '../../payments/operation.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import type { Payment } from '../../payments/payment.ts'
import { findPaymentOfSale } from '../../payments/payment-queries.ts'
import type { BillServices } from '../../subscriptions/bills/bill-charge.ts'
import { retryNow } from '../../subscriptions/bills/retry-now.ts'
import { readCurrentSubscription, type WhichSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import { previewHash } from '../preview-hash.ts'
import { attemptMarks } from './attempt-marks.ts'
import { unpaidReason } from './catch-up.ts'
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
    bill: bill && {
      id: bill.id,
      period: { start: bill.periodStart, end: bill.periodEnd },
      tries: ofBill.length,
    },
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
  return bill === null ? 'no_bill' : unpaidReason(loaded, card)
}

/**
 * Charges the open bill now.
 *
 * @param id id of the charge
 * @throws ApiError `not_found`, `conflict`, `contract_unsigned`; also for an unknown outcome, and for a charge that was
 * not sent, both of which `findRetried` knows
 */
export async function retryBill(
  services: BillServices,
  { business, id: subscriptionId }: WhichSubscription,
  id: string,
): Promise<Retried> {
  return retriedBy(await retryNow(services, { business, subscriptionId, id }))
}

/**
 * Returns the outcome of a charge so far, by its id. Recovery resolves an unknown outcome.
 *
 * @see DSH-6
 */
export async function findRetried(db: Db, businessId: string, id: string): Promise<Retried | null> {
  const charge = await findOperation(db, businessId, id)
  if (!charge) return null
  const payment = await findPaymentOfSale(db, businessId, id)
  if (payment) return retriedBy(payment)
  const outcome = isOpen(charge.state) ? ('unknown' as const) : ('not_charged' as const)
  return { object: 'subscription_retry', outcome, payment: null, code: null, message: null }
}

function retriedBy({ id: payment, status, code, message }: Payment): Retried {
  if (status !== 'failed')
    return { object: 'subscription_retry', outcome: 'approved', payment, code: null, message: null }
  return { object: 'subscription_retry', outcome: 'declined', payment, code, message }
}
