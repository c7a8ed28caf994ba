import { invalidField } from '../lib/errors.ts'
import { addDays, instantOf, readDay } from '../subscriptions/plan/calendar.ts'

/** From an instant, inclusive, until an instant, exclusive; `null` does not filter. */
export interface DayRange {
  since: Date | null
  until: Date | null
}

/**
 * The days of a filter, both inclusive, in the time zone of the business.
 *
 * @throws ApiError `validation_failed` when the last day is before the first
 */
export function dayRange({ from = '', to = '' }: { from?: string; to?: string }, timeZone: string): DayRange {
  const [first, last] = [readDay(from), readDay(to)]
  if (first !== null && last !== null && last < first) throw invalidField('to', 'must not be before `from`')
  return {
    since: first && instantOf(first, timeZone),
    until: last && instantOf(addDays(last, 1), timeZone),
  }
}
