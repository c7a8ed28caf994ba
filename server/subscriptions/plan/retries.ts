import { addDays, type Day } from './calendar.ts'

/** Local days between an attempt and the attempt before; the first is on the billing day itself (BIL-17). */
export const RETRY_OFFSETS_DAYS = [0, 3, 3, 3] as const

export const ATTEMPTS_MAX = RETRY_OFFSETS_DAYS.length

/**
 * The day of the next attempt of a bill. It counts from the attempt before, so a late attempt moves the rest of its own
 * series only.
 *
 * @param lastAttempt the local day of the last failed attempt
 * @param failedAttempts of this bill, the last one included
 * @returns `null` after the last attempt
 * @see BIL-17
 */
export function nextAttemptDay(lastAttempt: Day, failedAttempts: number): Day | null {
  const days = RETRY_OFFSETS_DAYS[failedAttempts]
  return days === undefined ? null : addDays(lastAttempt, days)
}
