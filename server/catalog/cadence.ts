import type { Recurring } from '../../contract/price.ts'
import { invalidField } from '../lib/errors.ts'

export type Interval = Recurring['interval']

/** A price recurs every `count` intervals. */
export interface Cadence {
  interval: Interval
  count: number
}

/**
 * Supported counts by interval: daily; weekly, bi-weekly; monthly, quarterly, twice a year; annual.
 *
 * @see CAT-5
 */
const COUNTS: Record<Interval, readonly number[]> = { day: [1], week: [1, 2], month: [1, 3, 6], year: [1] }

/** @throws ApiError `validation_failed` on `recurring.interval_count` if the count is not supported */
export function readCadence({ interval, interval_count: count }: Recurring): Cadence {
  const counts = COUNTS[interval]
  if (counts.includes(count)) return { interval, count }
  const all = counts.length === 1 ? `${counts[0]}` : `one of ${counts.join(', ')}`
  throw invalidField('recurring.interval_count', `must be ${all} for the interval ${interval}`)
}
