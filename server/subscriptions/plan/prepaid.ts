import { Temporal } from 'temporal-polyfill'
import type { Cents } from '../../lib/money.ts'
import { proportionOf } from './amounts.ts'

/** Payment that paid for the running period, or for a period that has not begun yet. */
export interface CoveringPayment {
  /** Whole amount of the payment: base, tax and surcharge. */
  amount: Cents
  refundedAmount: Cents
  voided: boolean
  /** Start of the period as served. Both ends are whole seconds. */
  periodStart: Date
  /** End of the paid time, exclusive. */
  periodEnd: Date
  /**
   * Time that the payment bought, if it differs from the length of this period: while preserved time is served, it
   * remains the length of the period that was paid.
   */
  paidSeconds?: number
}

export interface PauseInstant {
  /** Time of the pause. */
  at: Date
  zone: string
  /** `null` if the running period is unpaid. */
  covering: CoveringPayment | null
}

export interface PrepaidTime {
  /**
   * Real seconds, with a fraction rounded up: added to `paused_at` in whole seconds, they give the end of the period.
   */
  remainingSeconds: number
  /** Whole local days; the day of the pause thus counts as used. */
  remainingDays: number
  unusedAmount: Cents
  /** Amount that the merchant may refund for the unused time: at most what was paid and has not been refunded yet. */
  suggestedRefund: Cents
}

const NONE = 0 as Cents

/**
 * Computes what is left of the paid time at a pause. A voided payment covers nothing: its period is unpaid (BIL-30).
 *
 * @see SUB-22 to SUB-25
 */
export function prepaidTimeAt({ at, zone, covering }: PauseInstant): PrepaidTime {
  const from = covering && new Date(Math.max(wholeSecond(at), covering.periodStart.getTime()))
  if (!covering || covering.voided || from === null || from >= covering.periodEnd) {
    return { remainingSeconds: 0, remainingDays: 0, unusedAmount: NONE, suggestedRefund: NONE }
  }
  const remainingSeconds = secondsBetween(from, covering.periodEnd)
  const paidSeconds = covering.paidSeconds ?? secondsBetween(covering.periodStart, covering.periodEnd)
  const unusedAmount = proportionOf(covering.amount, remainingSeconds, paidSeconds, 'half_up')
  const unrefunded = Math.max(0, covering.amount - covering.refundedAmount)
  return {
    remainingSeconds,
    remainingDays: wholeLocalDays(from, covering.periodEnd, zone),
    unusedAmount,
    suggestedRefund: Math.min(unusedAmount, unrefunded) as Cents,
  }
}

/** Counts by the local clock, so that a day of 23 or 25 hours counts as one. */
function wholeLocalDays(from: Date, to: Date, zone: string): number {
  return localTime(from, zone).until(localTime(to, zone), { largestUnit: 'day' }).days
}

/** Returns the local time. The first instant of a day counts as 00:00, even where a clock change made it 01:00. */
function localTime(instant: Date, zone: string): Temporal.PlainDateTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
  const isFirst = local.startOfDay().epochMilliseconds === instant.getTime()
  return isFirst ? local.toPlainDate().toPlainDateTime() : local.toPlainDateTime()
}

function wholeSecond(instant: Date): number {
  return Math.floor(instant.getTime() / 1_000) * 1_000
}

function secondsBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / 1_000)
}
