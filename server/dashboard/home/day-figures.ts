import type { DayFigures } from '../../../contract/dashboard/home-api.ts'
import { addDays, type Day, dayOf, instantOf } from '../../subscriptions/plan/calendar.ts'
import type { CountedRow } from './figure-queries.ts'

const DAYS = 30
const WEEK = 7

/**
 * The parts of time that home counts by: business days, today last. The day a week ago is split in two, at the current
 * time of day.
 */
export interface HomeDays {
  days: Day[]
  /** Beginning of each part. */
  boundaries: Date[]
  /** Day of each part. */
  dayOfPart: Day[]
  /** Number of the first part of the day a week ago, counted from 1. Today, `todayPart`, is a single part. */
  weekAgoPart: number
  todayPart: number
}

/** @param now in the business's time */
export function homeDays(now: Date, zone: string): HomeDays {
  const today = dayOf(now, zone)
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today, index - DAYS + 1))
  const weekAgo = DAYS - WEEK - 1
  const ofDay = now.getTime() - instantOf(today, zone).getTime()
  const cut = (index: number) => {
    const [begins, ends] = [days[index], days[index + 1]].map((day) => (day ? instantOf(day, zone).getTime() : 0))
    return new Date(Math.min((begins ?? 0) + ofDay, ends ?? 0))
  }
  const parts = days.flatMap((day, index) => {
    const first = { day, begins: instantOf(day, zone) }
    return index === weekAgo ? [first, { day, begins: cut(index) }] : [first]
  })
  return {
    days,
    boundaries: parts.map(({ begins }) => begins),
    dayOfPart: parts.map(({ day }) => day),
    weekAgoPart: weekAgo + 1,
    todayPart: parts.length,
  }
}

/** Returns the figures of one day, from the rows of its parts. */
export function figuresOf(day: Day, rows: readonly CountedRow[]): DayFigures {
  const sum = (kind: CountedRow['kind'], figure: 'count' | 'amount') =>
    rows.filter((row) => row.kind === kind).reduce((total, row) => total + row[figure], 0)
  return {
    day,
    approved: sum('approved', 'count'),
    approved_amount: sum('approved', 'amount'),
    failed: sum('failed', 'count'),
    failed_amount: sum('failed', 'amount'),
    refunded: sum('refunded', 'count'),
    refunded_amount: sum('refunded', 'amount'),
  }
}

/** Returns the most frequent codes of failed payments. */
export function topFailures(rows: readonly CountedRow[], limit: number): { code: string; count: number }[] {
  return rows
    .flatMap(({ kind, code, count }) => (kind === 'failed' && code !== null ? [{ code, count }] : []))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, limit)
}
