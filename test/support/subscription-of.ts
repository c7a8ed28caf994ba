import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { billingDay, type Day, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'

/** Returns an active monthly subscription for tests, with its first period paid. */
export function subscriptionOf(given: Partial<Subscription> = {}): Subscription {
  const timeZone = given.timeZone ?? 'America/Toronto'
  const startDate = given.startDate ?? ('2026-01-31' as Day)
  const cadence = given.cadence ?? { interval: 'month', count: 1 }
  const end = billingDay(startDate, cadence, 1)
  const from = instantOf(startDate, timeZone)
  const throughAt = instantOf(end, timeZone)
  const paymentId = newId()
  return {
    businessId: newId(),
    id: newId(),
    customerId: newId(),
    storedCardId: newId(),
    status: 'active',
    currency: 'CAD',
    timeZone,
    items: [{ id: newId(), priceId: newId(), quantity: 1 }],
    cadence,
    unitAmount: 1_000 as Cents,
    quantity: 1,
    taxRatePpm: null,
    taxAmount: 0 as Cents,
    surchargeRatePpm: null,
    surchargeAmount: 0 as Cents,
    amount: 1_000 as Cents,
    installments: null,
    paidBills: 1,
    startDate,
    anchorDate: startDate,
    segmentNo: 0,
    nextPeriodNo: 1,
    nextBillingDate: end,
    currentPeriod: { start: startDate, end },
    paid: { paymentId, from, throughAt, seconds: (throughAt.getTime() - from.getTime()) / 1000 },
    lastPaymentAt: from,
    latestPaymentId: paymentId,
    lastFailedAttemptAt: null,
    catchUpHeldAt: null,
    catchUpThrough: null,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    cancellationComment: null,
    cancellationReason: null,
    contractId: null,
    checkoutSessionId: null,
    sendsPaymentLink: false,
    metadata: {},
    dueAt: throughAt,
    version: 1,
    createdAt: from,
    ...given,
  }
}
