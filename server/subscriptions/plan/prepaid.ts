import { Temporal } from 'temporal-polyfill'
import type { Cents } from '../../lib/money.ts'
import { proportionOf } from './amounts.ts'

/** The payment that paid the running period, or a period that has not begun yet. */
export interface CoveringPayment {
  /** The whole payment: base, tax and surcharge. */
  amount: Cents
  refundedAmount: Cents
  voided: boolean
  /** Of the period as it is served. Both ends are whole seconds. */
  periodStart: Date
  /** Exclusive: the end of the paid time. */
  periodEnd: Date
  /**
   * How much time the payment bought, when that is not the length of this period: a period that serves preserved time
   * keeps the length of the one that was paid.
   */
  paidSeconds?: number
}

export interface PauseInstant {
  /** The instant of the pause. */
  at: Date
  zone: string
  /** `null` when the running period is unpaid. */
  covering: CoveringPayment | null
}

export interface PrepaidTime {
  /**
   * Real seconds, a part of one counted as whole: with `paused_at` in whole seconds they add up to the period's end.
   */
  remainingSeconds: number
  /** Whole local days, so that the day of the pause counts as used. */
  remainingDays: number
  unusedAmount: Cents
  /** What the merchant may refund for the unused time: at most what was paid and is not refunded yet. */
  suggestedRefund: Cents
}

const NONE = 0 as Cents

/**
 * What is left of the paid time at a pause. A voided payment covers nothing: its period is unpaid (BIL-30).
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

/** By the local clock, so that a day of 23 or 25 hours counts as one. */
function wholeLocalDays(from: Date, to: Date, zone: string): number {
  return localTime(from, zone).until(localTime(to, zone), { largestUnit: 'day' }).days
}

/** The first instant of a day counts as 00:00, also where a clock change made it 01:00. */
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
