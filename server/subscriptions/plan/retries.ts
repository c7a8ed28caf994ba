import { addDays, type Day } from './calendar.ts'

/** Local days between an attempt and the one before; the first attempt is on the billing day itself (BIL-17). */
export const RETRY_OFFSETS_DAYS = [0, 3, 3, 3] as const

export const ATTEMPTS_MAX = RETRY_OFFSETS_DAYS.length

/**
 * Returns the day of the next attempt of a bill. It counts from the previous attempt, so a late attempt delays only the
 * rest of its own series.
 *
 * @param lastAttempt the local day of the last failed attempt
 * @param failedAttempts number of failed attempts of this bill, including the last one
 * @returns `null` after the last attempt
 * @see BIL-17
 */
export function nextAttemptDay(lastAttempt: Day, failedAttempts: number): Day | null {
  const days = RETRY_OFFSETS_DAYS[failedAttempts]
  return days === undefined ? null : addDays(lastAttempt, days)
}
