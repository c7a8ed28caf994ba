import type { Home } from '../../../contract/dashboard/home-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import type { Currency } from '../../lib/money.ts'
import { instantOf } from '../../subscriptions/plan/calendar.ts'
import type { CostlyFigures } from '../costly-figures.ts'
import { listPaymentRows, type StoredPaymentRow } from '../payments/payment-row-queries.ts'
import { figuresOf, type HomeDays, homeDays, topFailures } from './day-figures.ts'
import { type CountedRow, countByPart, countSessions, listLatestEvents } from './figure-queries.ts'

const FAILURES = 3
const PAYMENTS = 10
const EVENTS = 5

interface HomeContext {
  db: Db
  clock: Clock
  /** Caches the figures of days that hardly change any more. */
  keepPast: CostlyFigures<CountedRow[]>
}

/** Reads how the business does: today beside the same weekday, 30 days, and the latest payments and events. */
export async function readHome(
  { db, clock, keepPast }: HomeContext,
  business: Business,
  currency: Currency = business.currency,
): Promise<Home> {
  const { id: businessId, timeZone } = business
  const now = businessNow(clock, business)
  const parts = homeDays(now, timeZone)
  const { days, dayOfPart, weekAgoPart, todayPart } = parts
  const [today, weekAgo] = [days.at(-1), days[weekAgoPart - 1]]
  if (today === undefined || weekAgo === undefined) throw new Error('home has no days')
  const [rows, sessions, payments, events, terminals] = await Promise.all([
    countParts({ db, keepPast }, { business, currency, parts }),
    countSessions(db, businessId, instantOf(today, timeZone)),
    listPaymentRows(db, { businessId }, { limit: PAYMENTS, now: clock.now() }),
    listLatestEvents(db, businessId, EVENTS),
    findTerminals(db, [businessId]),
  ])
  const ofPart = (wanted: number) => rows.filter(({ part }) => part === wanted)
  return {
    object: 'home',
    currency,
    currencies: [...new Set([business.currency, ...terminals.map((terminal) => terminal.currency)])],
    counted_at: epochSeconds(now),
    today: figuresOf(today, ofPart(todayPart)),
    week_ago: figuresOf(weekAgo, ofPart(weekAgoPart)),
    failures: topFailures(ofPart(todayPart), FAILURES),
    sessions: { opened: sessions.opened, paid: sessions.paid },
    days: days.map((day) =>
      figuresOf(
        day,
        rows.filter(({ part }) => dayOfPart[part - 1] === day),
      ),
    ),
    latest_payments: payments.rows.map(latestPayment),
    latest_events: events.map(({ id, type, createdAt }) => ({ id, type, created: epochSeconds(createdAt) })),
    first_steps: sessions.hasPayment ? null : { has_session: sessions.hasSession },
  }
}

/**
 * Counts today, yesterday and the day a week ago at each look. For a large business, the other days are cached for a
 * while: only a late void or a late outcome changes them.
 */
async function countParts(
  { db, keepPast }: Pick<HomeContext, 'db' | 'keepPast'>,
  { business, currency, parts }: { business: Business; currency: Currency; parts: HomeDays },
): Promise<CountedRow[]> {
  const { id: businessId, clockOffsetSeconds: offsetSeconds } = business
  const { days, boundaries, weekAgoPart, todayPart } = parts
  const count = (firstPart: number, last: number) =>
    countByPart(db, {
      ...{ businessId, currency, offsetSeconds, firstPart, codesFrom: todayPart },
      boundaries: boundaries.slice(firstPart - 1, last),
      until: boundaries[last] ?? null,
    })
  const past = keepPast(`${businessId} ${currency} ${offsetSeconds} ${days[0]}`, async () => [
    ...(await count(1, weekAgoPart - 1)),
    ...(await count(weekAgoPart + 2, todayPart - 2)),
  ])
  const counted = await Promise.all([past, count(weekAgoPart, weekAgoPart + 1), count(todayPart - 1, todayPart)])
  return counted.flat()
}

function latestPayment(row: StoredPaymentRow) {
  const { cardBrand: brand, cardLast4: last4, customerName, customerEmail } = row
  return {
    id: row.paymentId ?? row.operationId,
    amount: row.amount,
    refunded_amount: row.refundedAmount,
    currency: row.currency,
    status: row.status,
    customer_name: customerName ?? customerEmail,
    card: brand === null || last4 === null ? null : { brand, last4 },
    created: epochSeconds(row.createdAt),
  }
}
