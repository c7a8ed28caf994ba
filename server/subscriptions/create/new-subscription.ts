import type { Business } from '../../businesses/business.ts'
import { newId } from '../../lib/ids.ts'
import type { Bill } from '../bill.ts'
import { approvedBill } from '../lifecycle/bill-outcome.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import { openBill } from '../lifecycle/open-bill.ts'
import { type LoadedSubscription, NEVER_BILLED, type Subscription } from '../subscription.ts'
import type { SubscriptionTerms } from './check-new-subscription.ts'
import type { SubscriptionOrder } from './order.ts'

/** Returns a subscription that waits for a card, with nothing scheduled (SUB-3). */
export function newSubscription(
  { id: businessId, currency, timeZone }: Pick<Business, 'id' | 'currency' | 'timeZone'>,
  order: SubscriptionOrder,
  { cadence, unitAmount, quantity, surchargeRatePpm, amounts }: SubscriptionTerms,
  createdAt: Date,
): Subscription {
  return {
    ...NEVER_BILLED,
    businessId,
    id: newId(),
    customerId: order.customerId,
    storedCardId: order.storedCardId,
    currency,
    timeZone,
    items: order.items.map(({ priceId, quantity: count }) => ({ id: newId(), priceId, quantity: count })),
    cadence,
    unitAmount,
    quantity,
    taxRatePpm: order.taxRatePpm,
    taxAmount: amounts.tax,
    surchargeRatePpm,
    surchargeAmount: amounts.surcharge,
    amount: amounts.total,
    installments: order.installments,
    startDate: order.startDate,
    anchorDate: order.startDate,
    sendsPaymentLink: order.sendsPaymentLink,
    metadata: order.metadata,
    createdAt,
  }
}

/**
 * Returns the subscription with a card, before its first bill, which the scheduler charges on the start date (SUB-2).
 */
export function scheduledSubscription(waiting: Subscription): Subscription {
  const subscription = { ...waiting, status: 'active' as const, nextBillingDate: waiting.startDate }
  return { ...subscription, dueAt: dueAtOf({ subscription, bill: null, pause: null }) }
}

/**
 * Returns the subscription with its first bill paid; nothing is written before that (SUB-1).
 *
 * @param now in the business's time
 * @see BIL-10, SUB-13
 */
export function paidSubscription(
  waiting: Subscription,
  { paymentId, now }: { paymentId: string; now: Date },
): { subscription: Subscription; bill: Bill; isCompleted: boolean } {
  const opened = openBill(alone(scheduledSubscription(waiting)), now)
  const approved = approvedBill({ ...alone(opened.after), bill: opened.bill }, { paymentId, now })
  const [bill] = approved.bills
  if (!bill) throw new Error('an approved bill is written')
  return { subscription: { ...approved.after, createdAt: now }, bill, isCompleted: approved.isCompleted }
}

/** Returns the subscription as loaded without an open bill, a pause or a charge. */
export function alone(subscription: Subscription): LoadedSubscription {
  return { subscription, bill: null, pause: null, isCharging: false }
}
