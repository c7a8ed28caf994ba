import type { Price, Recurring } from '../../../contract/price.ts'
import type { Localized } from '../../kit/texts.ts'
import type { en } from './texts/en.ts'

/** The frequencies that a price can have, in the order of the field. */
export const FREQUENCIES = [
  { name: 'monthly', interval: 'month', interval_count: 1 },
  { name: 'weekly', interval: 'week', interval_count: 1 },
  { name: 'biweekly', interval: 'week', interval_count: 2 },
  { name: 'quarterly', interval: 'month', interval_count: 3 },
  { name: 'semiannual', interval: 'month', interval_count: 6 },
  { name: 'annual', interval: 'year', interval_count: 1 },
  { name: 'daily', interval: 'day', interval_count: 1 },
] as const satisfies readonly (Recurring & { name: keyof typeof en })[]

export type FrequencyName = (typeof FREQUENCIES)[number]['name'] | 'once'

/** Returns the recurrence of a chosen frequency; `undefined` for a one-time price. */
export function recurringOf(name: FrequencyName): Recurring | undefined {
  const found = FREQUENCIES.find((frequency) => frequency.name === name)
  return found && { interval: found.interval, interval_count: found.interval_count }
}

/** Returns the word for the frequency of a price. */
export function frequencyOf(recurring: Price['recurring'], t: Localized<typeof en>): string {
  const found = FREQUENCIES.find(
    ({ interval, interval_count: count }) => recurring?.interval === interval && recurring.interval_count === count,
  )
  return t[found?.name ?? 'once']
}
