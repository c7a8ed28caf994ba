import { invalidField } from '../lib/errors.ts'
import { endOf, instantOf, readDay } from '../subscriptions/plan/calendar.ts'

/** From an instant, inclusive, to an instant, exclusive; `null` does not filter. */
export interface DayRange {
  since: Date | null
  until: Date | null
}

interface Days {
  from?: string | undefined
  to?: string | undefined
}

/**
 * Returns the range of a filter's days, both inclusive, in the time zone of the business.
 *
 * @param prefix prefix of both parameter names, such as `next_`
 * @throws ApiError `validation_failed` when the last day is before the first
 */
export function dayRange(days: Days, timeZone: string, prefix = ''): DayRange {
  requireOrder(days, prefix)
  const [first, last] = [readDay(days.from ?? ''), readDay(days.to ?? '')]
  return { since: first && instantOf(first, timeZone), until: last && endOf(last, timeZone) }
}

/** @throws ApiError `validation_failed` when the last day is before the first */
export function requireOrder({ from, to }: Days, prefix = ''): void {
  if (from !== undefined && to !== undefined && to < from) throw invalidField(`${prefix}to`, 'must not be before from')
}
