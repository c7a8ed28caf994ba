import { UpcomingDayQuery, UpcomingQuery } from '../../../contract/dashboard/calendar-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import type { Route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import {
  billingDay,
  type Day,
  dayOf,
  daysBetween,
  periodIndexAtOrAfter,
  readDay,
} from '../../subscriptions/plan/calendar.ts'
import { findCustomerNames } from '../customer-name-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { readDescriptions } from '../describe-items.ts'
import { type Asked, listChanges, listGroups, listItems, listSchedules } from './calendar-queries.ts'
import { createForecast, type Days, dayOfMap, type Range } from './forecast.ts'

/** Longest range that can be asked for: three months and the rest of a month's grid. */
const RANGE_DAYS_MAX = 107
/**
 * How far ahead the calendar looks. A later forecast is of no use, and its dates would run past the end of the
 * calendar.
 */
const AHEAD_YEARS_MAX = 100
const ITEMS = 200

/** Returns the routes of the bill calendar. */
export function calendarRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, clock } = dashboard
  const todayOf = (business: Business) => dayOf(businessNow(clock, business), business.timeZone)
  return [
    dashboard.read('GET /bills/upcoming', {
      permission: 'subscriptions.read',
      query: UpcomingQuery,
      async handle({ member: { business }, query }) {
        const range = rangeOf(query, todayOf(business))
        const days = await upcoming(db, { businessId: business.id, product: query.product }, range)
        const currency = business.currency === 'USD' ? ('usd' as const) : ('cad' as const)
        return { body: { object: 'upcoming_bills' as const, currency, today: range.today, days } }
      },
    }),
    dashboard.read('GET /bills/upcoming/day', {
      permission: 'subscriptions.read',
      query: UpcomingDayQuery,
      async handle({ member: { business }, query }) {
        const asked = { businessId: business.id, product: query.product }
        const today = todayOf(business)
        const of = { day: dayIn('day', query.day, today), today }
        return { body: await boundedRead(db, (reading) => itemsOf(reading, asked, of)) }
      },
    }),
  ]
}

function dayIn(param: string, text: string, today: Day): Day {
  const day = readDay(text)
  if (day === null) throw invalidField(param, 'must be a day of the calendar, YYYY-MM-DD')
  const last = billingDay(today, { interval: 'year', count: 1 }, AHEAD_YEARS_MAX)
  if (day > last) throw invalidField(param, `must be within ${AHEAD_YEARS_MAX} years: ${last} or earlier`)
  return day
}

function rangeOf(query: { from: string; to: string }, today: Day): Range {
  const [from, to] = [dayIn('from', query.from, today), dayIn('to', query.to, today)]
  if (to < from) throw invalidField('to', 'must not be before from')
  if (daysBetween(from, to) >= RANGE_DAYS_MAX) throw invalidField('to', `must be within ${RANGE_DAYS_MAX} days of from`)
  return { from, to, today }
}

async function upcoming(db: Db, asked: Asked, range: Range) {
  const days: Days = new Map()
  const [groups, changes] = await boundedRead(db, async (tx) => [
    await listGroups(tx, { ...asked, to: range.to }),
    await listChanges(tx, asked),
  ])
  groups.forEach(createForecast(days, range))
  for (const { kind, day: planned, count, amount } of changes) {
    const day = planned < range.today ? range.today : planned
    if (day < range.from || day > range.to) continue
    const shown = dayOfMap(days, day)
    if (kind === 'pause') shown.pauses += count
    else if (kind === 'cancel') shown.cancellations += count
    else {
      const counted = kind === 'retry' ? shown.retries : shown.bills
      counted.count += count
      counted.amount += amount
    }
  }
  return [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1))
}

async function itemsOf(db: Db, asked: Asked, { day, today }: { day: Day; today: Day }) {
  if (day < today) return { object: 'list' as const, data: [], has_more: false }
  const periods = (await listSchedules(db, { ...asked, to: day })).flatMap(({ anchor, cadence }) => {
    const k = periodIndexAtOrAfter(anchor, cadence, day)
    return billingDay(anchor, cadence, k) === day ? [{ anchor, cadence, k }] : []
  })
  const rows = await listItems(db, { ...asked, day, isToday: day === today, periods, limit: ITEMS + 1 })
  const described = rows.map(({ items }) => ({
    items: items.map(({ price, ...item }) => ({ ...item, priceId: price })),
  }))
  const [describe, customers] = await Promise.all([
    readDescriptions(db, asked.businessId, described),
    findCustomerNames(
      db,
      asked.businessId,
      rows.map(({ customerId }) => customerId),
    ),
  ])
  const data = rows.slice(0, ITEMS).map(({ kind, subscription, amount, customerId }, index) => {
    const { name = null, email = null } = customers.get(customerId) ?? {}
    return {
      kind,
      subscription,
      amount,
      customer: name ?? email,
      description: describe(described[index] ?? { items: [] }),
    }
  })
  return { object: 'list' as const, data, has_more: rows.length > ITEMS }
}
