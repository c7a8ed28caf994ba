import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import type { Cadence } from '../../catalog/cadence.ts'
import { billingDay, type Day, periodIndexAtOrAfter } from '../../subscriptions/plan/calendar.ts'

/** Running subscriptions that are billed on the same days. */
export interface ScheduleGroup {
  anchor: Day
  cadence: Cadence
  nextPeriodNo: number
  /** Number of bills still to come; `null` without an end. */
  left: number | null
  /** First day without bills, because a cancel or a pause is scheduled; `null` if neither is. */
  stop: Day | null
  /** Whether the first of these bills is the subscription's very first. */
  isStart: boolean
  count: number
  /** Amount of one bill, summed over the group. */
  amount: number
}

export interface Range {
  from: Day
  /** Last day of the range, inclusive. */
  to: Day
  /** Current day. Overdue bills are billed on it. */
  today: Day
}

export type Days = Map<Day, UpcomingDay>

export function dayOfMap(days: Days, day: Day): UpcomingDay {
  const nothing = () => ({ count: 0, amount: 0 })
  const known = days.get(day) ?? {
    day,
    bills: nothing(),
    retries: nothing(),
    starts: nothing(),
    pauses: 0,
    cancellations: 0,
  }
  days.set(day, known)
  return known
}

/** Dates of a schedule that its bills are counted by. */
interface Dates {
  /** Number of the first period whose date has not passed. */
  firstAhead: number
  /** Dates within the range, none of them in the past. */
  inRange: { k: number; day: Day }[]
}

/**
 * Returns a function that adds the bills of a group to `days`, on the dates that the scheduler will compute. Groups
 * with the same schedule share their dates.
 */
export function createForecast(days: Days, range: Range): (group: ScheduleGroup) => void {
  const known = new Map<string, Dates>()
  return (group) => {
    const { anchor, cadence } = group
    const key = `${anchor} ${cadence.interval} ${cadence.count}`
    const dates = known.get(key) ?? datesIn(group, range)
    known.set(key, dates)
    addBills(days, group, { dates, range })
  }
}

/** @see BIL-6 */
function datesIn({ anchor, cadence }: ScheduleGroup, { from, to, today }: Range): Dates {
  const inRange: Dates['inRange'] = []
  const firstAhead = periodIndexAtOrAfter(anchor, cadence, today)
  for (let k = Math.max(firstAhead, periodIndexAtOrAfter(anchor, cadence, from)); ; k++) {
    const day = billingDay(anchor, cadence, k)
    if (day > to) return { firstAhead, inRange }
    inRange.push({ k, day })
  }
}

/** @see BIL-25, SUB-11, SUB-51 */
function addBills(days: Days, group: ScheduleGroup, { dates, range }: { dates: Dates; range: Range }): void {
  const { nextPeriodNo: first, left, stop, isStart } = group
  const { from, to, today } = range
  const end = left === null ? Infinity : first + left
  if (stop !== null && stop <= today) return
  const overdue = Math.min(end, dates.firstAhead) - first
  if (from <= today && today <= to)
    for (let count = 0; count < overdue; count++) addBill(dayOfMap(days, today), group, isStart && count === 0)
  for (const { k, day } of dates.inRange)
    if (k >= first && k < end && (stop === null || day < stop))
      addBill(dayOfMap(days, day), group, isStart && k === first)
}

function addBill({ bills, starts }: UpcomingDay, { count, amount }: ScheduleGroup, isStart: boolean): void {
  const kind = isStart ? starts : bills
  kind.count += count
  kind.amount += amount
}
