import type { Business } from '../../server/businesses/business.ts'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { type RunScope, runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { insertSubscription } from '../../server/subscriptions/change-queries.ts'
import { type Day, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../../server/subscriptions/subscription.ts'
import { findSubscription } from '../../server/subscriptions/subscription-queries.ts'
import { moneyRows } from './money-rows.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'
import { type StillClock, stillClock } from './still-clock.ts'
import { type StoredCardIds, storeCard } from './stored-card.ts'
import { subscriptionOf } from './subscription-of.ts'

const ZONE = 'America/Toronto'
const AMOUNT = 1_000 as Cents
const OPENED_AT = '2026-11-22T12:00:00Z'

export type BillingService = TestService & { clock: StillClock; timeScale: number; stored: StoredCardIds }

/**
 * Opens a service with a stored card and a clock that stands still until the test moves it. Bills are only charged if
 * the test runs the engine.
 *
 * @param start the clock begins at local midnight of this day
 */
export async function openBillingService(start: string, options: TestServiceOptions = {}): Promise<BillingService> {
  const clock = stillClock(OPENED_AT)
  const { timeScale = 0.1 } = options
  const service = await openService({ ...options, timeScale, clock })
  const stored = await storeCard(service, 'ana@example.com')
  clock.set(midnight(start))
  return { ...service, clock, timeScale, stored }
}

export const midnight = (day: string, zone = ZONE) => instantOf(day as Day, zone)

/** Creates an active subscription whose first bill is due on its start date. */
export async function subscribe(
  { app, demo, stored }: Pick<BillingService, 'app' | 'demo' | 'stored'>,
  given: Partial<Subscription> = {},
): Promise<Subscription> {
  const timeZone = given.timeZone ?? ZONE
  const startDate = given.startDate ?? ('2027-01-31' as Day)
  const subscription = subscriptionOf({
    businessId: demo.business_id,
    customerId: stored.customerId,
    storedCardId: stored.cardId,
    currency: 'USD',
    timeZone,
    startDate,
    amount: AMOUNT,
    paidBills: 0,
    nextPeriodNo: 0,
    nextBillingDate: startDate,
    currentPeriod: null,
    paid: null,
    lastPaymentAt: null,
    latestPaymentId: null,
    dueAt: instantOf(startDate, timeZone),
    createdAt: new Date(OPENED_AT),
    ...given,
  })
  await insertSubscription(app.services.db, { subscription, events: [] })
  return subscription
}

export async function load(
  { app }: Pick<BillingService, 'app'>,
  { businessId, id }: Subscription,
): Promise<LoadedSubscription> {
  const found = await findSubscription(app.services.db, businessId, id)
  if (!found) throw new Error('There is no such subscription')
  return found
}

export const run = ({ app }: Pick<BillingService, 'app'>, scope: RunScope = {}) => runDue(app.services, scope)

export async function businessOf({ app, demo }: Pick<BillingService, 'app' | 'demo'>): Promise<Business> {
  const business = await findBusiness(app.services.db, demo.business_id)
  if (!business) throw new Error('The demo business is missing')
  return business
}

/** Sets the clock to local midnight of a day, or to an instant, and charges what is due. */
export function runOn(service: BillingService, day: string) {
  service.clock.set(day.includes('T') ? new Date(day) : midnight(day))
  return run(service)
}

export interface BillRow {
  segment_no: number
  period_no: number
  period_start: string
  period_end: string
  status: string
  closed_reason: string | null
  failed_attempts: number
  next_attempt_at: Date | null
}

export interface PaymentRow {
  id: string
  status: string
  trigger: string
  attempt: number
  code: string
  period_start: string
  next_retry_at: Date | null
  created_at: Date
}

/** Returns the stored bills, payments and events of a subscription, oldest first. */
export async function recordsOf({ databaseUrl }: Pick<BillingService, 'databaseUrl'>, { id }: { id: string }) {
  await using book = moneyRows(databaseUrl)
  const bills = await book.query<BillRow>(
    'select *, period_start::text, period_end::text from bill where subscription_id = $1 order by segment_no, period_no',
    [id],
  )
  const payments = await book.query<PaymentRow>(
    'select *, period_start::text from payment where subscription_id = $1 order by created_at, id',
    [id],
  )
  const events = await book.query<{ type: string }>(
    `select type from event where object_id = $1 or data #>> '{object,subscription}' = $1::text
     order by created_at, id`,
    [id],
  )
  return { bills, payments, events: events.map(({ type }) => type) }
}

/** Ends all subscriptions, so that the next test may begin on a different day. */
export async function endAll({ databaseUrl, simulator }: BillingService): Promise<void> {
  await using book = moneyRows(databaseUrl)
  await book.query(`update bill set status = 'CLOSED', closed_reason = 'canceled' where status = 'PENDING'`)
  await book.query(`update subscription set status = 'canceled', due_at = null where status <> 'canceled'`)
  await simulator.resetScript()
}

/** Scripts the outcomes of the next sales, in this order. */
export const scriptSales = ({ simulator }: Pick<TestService, 'simulator'>, ...outcomes: BehaviourName[]) =>
  simulator.script({ outcomes: outcomes.map((outcome) => ({ op: 'sale', outcome })) })

/**
 * Stores a card of another customer. The time of storing is the time at which the service was opened, because access
 * tokens expire.
 */
export async function anotherCard(service: BillingService, cardNumber: string): Promise<StoredCardIds> {
  const now = service.clock.now()
  service.clock.set(OPENED_AT)
  try {
    return await storeCard(service, `${newId()}@example.com`, { cardNumber })
  } finally {
    service.clock.set(now)
  }
}
