import type { Home } from '../../../contract/dashboard/home-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import type { Currency } from '../../lib/money.ts'
import { instantOf } from '../../subscriptions/plan/calendar.ts'
import { figuresOf, homeDays, topFailures } from './day-figures.ts'
import {
  countByPart,
  countSessions,
  type LatestPaymentRow,
  listLatestEvents,
  listLatestPayments,
} from './figure-queries.ts'

const FAILURES = 3
const PAYMENTS = 10
const EVENTS = 5

/** How the business does: today beside the same weekday, 30 days, and what was last. */
export async function readHome(
  { db, clock }: { db: Db; clock: Clock },
  business: Business,
  currency: Currency = business.currency,
): Promise<Home> {
  const { id: businessId, timeZone, clockOffsetSeconds: offsetSeconds } = business
  const now = businessNow(clock, business)
  const { days, boundaries, dayOfPart, weekAgoPart, todayPart } = homeDays(now, timeZone)
  const [today, weekAgo] = [days.at(-1), days[weekAgoPart - 1]]
  if (today === undefined || weekAgo === undefined) throw new Error('home has no days')
  const [rows, sessions, payments, events, terminals] = await Promise.all([
    countByPart(db, { businessId, currency, boundaries, codesFrom: todayPart, offsetSeconds }),
    countSessions(db, businessId, instantOf(today, timeZone)),
    listLatestPayments(db, businessId, PAYMENTS),
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
    latest_payments: payments.map(latestPayment),
    latest_events: events.map(({ id, type, createdAt }) => ({ id, type, created: epochSeconds(createdAt) })),
    first_steps: sessions.hasPayment ? null : { has_session: sessions.hasSession },
  }
}

function latestPayment({ refundedAmount, customerName, brand, last4, createdAt, ...row }: LatestPaymentRow) {
  return {
    ...row,
    refunded_amount: refundedAmount,
    customer_name: customerName,
    card: { brand, last4 },
    created: epochSeconds(createdAt),
  }
}
