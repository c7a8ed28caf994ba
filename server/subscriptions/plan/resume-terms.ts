import type { Cadence } from '../../catalog/cadence.ts'
import type { Cents } from '../../lib/money.ts'
import {
  billingDay,
  type Day,
  dayOf,
  dayStartingAtOrAfter,
  periodIndexAtOrAfter,
  periodIndexContaining,
} from './calendar.ts'

export interface ResumeInput {
  now: Date
  zone: string
  /** `now` begins a new schedule today; `unchanged` returns to the dates of the segment. */
  anchor: 'now' | 'unchanged'
  segment: { anchor: Day; cadence: Cadence }
  /** First day that is not paid, a date of the segment; `null` if nothing was ever paid. */
  paidThrough: Day | null
  /** Choice for the unused time at the pause; `null` if no time was left. */
  unused: 'preserve_time' | 'external_refund' | null
  /** Paid time left, frozen at the pause. */
  remainingSeconds: number
  /** Total of one whole bill. */
  billTotal: Cents
  /** First day of the paid period, if it is not a date of the schedule because it serves preserved time. */
  paidFrom?: Day | null
  /**
   * Smallest k of the segment without a bill: no period is billed twice, and none whose bill was closed is billed
   * (SUB-18).
   */
  nextPeriodNo?: number
}

export interface ResumeTerms {
  chargeDueToday: Cents
  newPeriodStart: Day
  /** End of the new period, exclusive. */
  newPeriodEnd: Day
  nextBillingDay: Day
  /** Index k that is billed on `nextBillingDay`; in the new segment if there is one. */
  nextPeriodNo: number
  /** Anchor of a new segment; `null` if the segment stays. */
  segmentAnchor: Day | null
  /**
   * End of the preserved time, to the second; `null` if the resume serves none. The period's days end later. That extra
   * time is not paid: otherwise the next pause would preserve it, and each pause would add a day.
   */
  preservedThroughAt: Date | null
  /** Whether today is a date of the schedule: then the scheduler bills it, not the resume. */
  billsTodayByScheduler: boolean
  /** Whether the request must name the terms that were shown: it must if the resume charges. */
  isQuoted: boolean
}

/**
 * Decides what a resume means: charge, period and schedule.
 *
 * @see SUB-26 to SUB-29
 */
export function resumeTerms(input: ResumeInput): ResumeTerms {
  const today = dayOf(input.now, input.zone)
  if (input.anchor === 'now') {
    const isPreserved = input.unused === 'preserve_time' && input.remainingSeconds > 0
    return isPreserved ? servePreservedTime(input, today) : chargeToday(input, today)
  }
  const { paidThrough } = input
  return paidThrough !== null && today < paidThrough
    ? servePaidPeriod(input, today, paidThrough)
    : returnToSchedule(input, today)
}

const FREE = {
  chargeDueToday: 0 as Cents,
  isQuoted: false,
  billsTodayByScheduler: false,
  segmentAnchor: null,
  preservedThroughAt: null,
}

/**
 * Serves preserved time. The end is rounded up to the beginning of a day, so that the customer is never short of time
 * (SUB-26).
 */
function servePreservedTime({ now, zone, remainingSeconds }: ResumeInput, today: Day): ResumeTerms {
  // Whole seconds, as in the API: a resume in the second of a midnight counts as at midnight, and adds no day.
  const resumedAt = Math.floor(now.getTime() / 1_000)
  const preservedThroughAt = new Date((resumedAt + remainingSeconds) * 1_000)
  const end = dayStartingAtOrAfter(preservedThroughAt, zone)
  return {
    ...FREE,
    newPeriodStart: today,
    newPeriodEnd: end,
    nextBillingDay: end,
    nextPeriodNo: 0,
    segmentAnchor: end,
    preservedThroughAt,
  }
}

function chargeToday({ segment, billTotal }: ResumeInput, today: Day): ResumeTerms {
  const end = billingDay(today, segment.cadence, 1)
  return {
    ...FREE,
    chargeDueToday: billTotal,
    isQuoted: true,
    newPeriodStart: today,
    newPeriodEnd: end,
    nextBillingDay: end,
    nextPeriodNo: 1,
    segmentAnchor: today,
  }
}

function servePaidPeriod({ segment, paidFrom }: ResumeInput, today: Day, paidThrough: Day): ResumeTerms {
  const { anchor, cadence } = segment
  const next = periodIndexAtOrAfter(anchor, cadence, paidThrough)
  return {
    ...FREE,
    newPeriodStart: paidFrom ?? (next > 0 ? billingDay(anchor, cadence, next - 1) : today),
    newPeriodEnd: paidThrough,
    nextBillingDay: paidThrough,
    nextPeriodNo: next,
  }
}

/**
 * Resumes on the schedule; the days up to its next date are free. Preserved time is not added to the schedule:
 * otherwise, pausing for an hour in each period would skip every bill (SUB-29).
 */
function returnToSchedule({ segment, nextPeriodNo = 0 }: ResumeInput, today: Day): ResumeTerms {
  const { anchor, cadence } = segment
  const running = today < anchor ? 0 : periodIndexContaining(anchor, cadence, today)
  const next = Math.max(periodIndexAtOrAfter(anchor, cadence, today), nextPeriodNo)
  const nextBillingDay = billingDay(anchor, cadence, next)
  return {
    ...FREE,
    newPeriodStart: billingDay(anchor, cadence, running),
    newPeriodEnd: billingDay(anchor, cadence, running + 1),
    nextBillingDay,
    nextPeriodNo: next,
    billsTodayByScheduler: nextBillingDay === today,
  }
}
