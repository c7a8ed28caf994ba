import type { UpcomingDay } from '../../../contract/dashboard/calendar-api.ts'
import type { Cadence } from '../../catalog/cadence.ts'
import { billingDay, type Day, periodIndexAtOrAfter } from '../../subscriptions/plan/calendar.ts'

/** Running subscriptions that are billed on the same days. */
export interface ScheduleGroup {
  anchor: Day
  cadence: Cadence
  nextPeriodNo: number
  /** Bills that are still to come; `null` without end. */
  left: number | null
  /** Nothing is billed from this day on: a cancel or a pause is scheduled. */
  stop: Day | null
  /** The first of these bills is the first at all. */
  isStart: boolean
  count: number
  /** Of one bill of each. */
  amount: number
}

export interface Range {
  from: Day
  /** Included. */
  to: Day
  /** What is overdue is billed today. */
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

/**
 * Adds the bills of a group, by the dates that the scheduler will compute: each from the anchor.
 *
 * @see BIL-6, BIL-25, SUB-11, SUB-51
 */
export function addBills(days: Days, group: ScheduleGroup, range: Range): void {
  const { anchor, cadence, nextPeriodNo: first, left, stop } = group
  const end = left === null ? Infinity : first + left
  for (let k = first; k < end; k++) {
    const due = billingDay(anchor, cadence, k)
    if (stop !== null && due >= stop) return
    const day = due < range.today ? range.today : due
    if (day > range.to) return
    if (day >= range.from) addBill(dayOfMap(days, day), group, k === first && group.isStart)
    // The days between are not asked for.
    else k = Math.max(k, periodIndexAtOrAfter(anchor, cadence, range.from) - 1)
  }
}

function addBill({ bills, starts }: UpcomingDay, { count, amount }: ScheduleGroup, isStart: boolean): void {
  const kind = isStart ? starts : bills
  kind.count += count
  kind.amount += amount
}
