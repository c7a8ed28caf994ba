import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { findPayment } from '../../server/payments/payment-queries.ts'
import type { Bill } from '../../server/subscriptions/bill.ts'
import { insertSubscription } from '../../server/subscriptions/change-queries.ts'
import { billingDay, type Day, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../../server/subscriptions/subscription.ts'
import { findSubscription } from '../../server/subscriptions/subscription-queries.ts'
import type { Response } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'
import { type StoredCardIds, storeCard } from './stored-card.ts'
import { subscriptionOf } from './subscription-of.ts'
import { saleOfSubscription } from './subscription-payment.ts'

type Service = Pick<TestService, 'app' | 'url' | 'demo' | 'databaseUrl' | 'formUrl' | 'simulator'>

/** A stored card and a monthly price of 12.34, which many subscriptions share. */
export interface Subscribable {
  stored: StoredCardIds
  priceId: string
}

/** @param cardNumber a card that is approved when it is stored; later charges can be scripted */
export async function makeSubscribable(service: TestService, cardNumber?: string): Promise<Subscribable> {
  const api = merchantApiOf(service)
  const stored = await storeCard(service, `${newId()}@example.com`, cardNumber === undefined ? {} : { cardNumber })
  const { id: product } = await api.made('/products', { name: 'Gold' })
  const price = await api.made('/prices', { product, unit_amount: 1234, recurring: { interval: 'month' } })
  return { stored, priceId: price.id }
}

/** Creates a subscription with the API now, with its first bill paid. */
export async function createSubscribed(
  service: Service,
  { stored, priceId }: Subscribable,
  more: object = {},
): Promise<Response['body']> {
  const body = { customer: stored.customerId, payment_method: stored.cardId, price: priceId, ...more }
  return merchantApiOf(service).made('/subscriptions', body)
}

const ZONE = 'America/New_York'

/** Creates an active monthly subscription of 12.34 from a day on: its first period is paid by an approved sale. */
export async function subscribed(
  service: Service,
  { stored, priceId }: Subscribable,
  startDate: string,
  given: Partial<Subscription> = {},
): Promise<Subscription> {
  const amount = given.amount ?? (1_234 as Cents)
  const draft = subscriptionOf({
    businessId: service.demo.business_id,
    customerId: stored.customerId,
    storedCardId: stored.cardId,
    currency: 'USD',
    timeZone: ZONE,
    startDate: startDate as Day,
    items: [{ id: newId(), priceId, quantity: 1 }],
    unitAmount: 1_234 as Cents,
    amount,
  })
  const payment = await saleOfSubscription(service, stored, {
    amount: amount / 100,
    subscriptionId: draft.id,
    withRows: false,
  })
  const paid = draft.paid && { ...draft.paid, paymentId: payment.id }
  const subscription = { ...draft, paid, latestPaymentId: payment.id, ...given }
  await insertWith(service, subscription, [{ ...firstBill(draft, payment.id), id: payment.bill }])
  return subscription
}

/** Creates a subscription whose current period, the first, has an open bill that was declined once. */
export async function unpaidSubscribed(
  service: Service,
  { stored, priceId }: Subscribable,
  startDate: string,
  given: Partial<Subscription> = {},
): Promise<Subscription> {
  const draft = subscriptionOf({
    businessId: service.demo.business_id,
    customerId: stored.customerId,
    storedCardId: stored.cardId,
    currency: 'USD',
    timeZone: ZONE,
    startDate: startDate as Day,
    items: [{ id: newId(), priceId, quantity: 1 }],
    unitAmount: 1_234 as Cents,
    amount: 1_234 as Cents,
    paid: null,
    paidBills: 0,
    lastPaymentAt: null,
    latestPaymentId: null,
    ...given,
  })
  const start = instantOf(draft.startDate, ZONE)
  const bill: Bill = {
    ...firstBill(draft, null),
    status: 'PENDING',
    failedAttempts: 1,
    lastAttemptAt: start,
    nextAttemptAt: instantOf(billingDay(draft.startDate, { interval: 'day', count: 1 }, 3), ZONE),
    closedAt: null,
  }
  const subscription = { ...draft, dueAt: bill.nextAttemptAt }
  await insertWith(service, subscription, [bill])
  return subscription
}

function firstBill({ startDate, cadence }: Subscription, paymentId: string | null): Bill {
  const start = instantOf(startDate, ZONE)
  return {
    id: newId(),
    segmentNo: 0,
    periodNo: 0,
    periodStart: startDate,
    periodEnd: billingDay(startDate, cadence, 1),
    status: 'FULFILLED',
    closedReason: null,
    failedAttempts: 0,
    nextAttemptAt: null,
    lastAttemptAt: start,
    paymentId,
    createdAt: start,
    closedAt: start,
  }
}

const insertWith = ({ app }: Service, subscription: Subscription, bills: Bill[]) =>
  insertSubscription(app.services.db, { subscription, bills, events: [] })

/** Returns the subscription as it is stored. */
export async function storedSubscription({ app, demo }: Service, id: string): Promise<LoadedSubscription> {
  const found = await findSubscription(app.services.db, demo.business_id, id)
  if (!found) throw new Error('There is no such subscription')
  return found
}

/** Returns the bills of a subscription, oldest first. */
export const storedBills = ({ app }: Service, id: string) =>
  app.services.db.selectFrom('bill').selectAll().where('subscription_id', '=', id).orderBy('id').execute()

export const storedPauses = ({ app }: Service, id: string) =>
  app.services.db.selectFrom('subscription_pause').selectAll().where('subscription_id', '=', id).orderBy('id').execute()

export async function coveringPayment(service: Service, { paid }: Subscription) {
  const payment = await findPayment(service.app.services.db, service.demo.business_id, paid?.paymentId ?? '')
  if (!payment) throw new Error('There is no covering payment')
  return payment
}
