import type { INTERVALS } from '../price.ts'
import type { SUBSCRIPTION_STATUSES } from '../subscription.ts'

// The dashboard's words for subscriptions (docs/specification/subscriptions.md, Dashboard words). The merchant API uses
// different ones.

type Status = (typeof SUBSCRIPTION_STATUSES)[number]

export const STATUS_WORDS = {
  pending_payment_method: 'INACTIVE',
  active: 'ACTIVE',
  paused: 'PAUSED',
  canceled: 'CANCELLED',
  completed: 'completed',
} as const satisfies Record<Status, string>
export type StatusWord = (typeof STATUS_WORDS)[Status]

interface Frequency {
  label: string
  /** `null` for a daily price, which has no sequence number. */
  sequence: number | null
  interval: (typeof INTERVALS)[number]
  count: number
}

export const FREQUENCIES = [
  { label: 'Daily', sequence: null, interval: 'day', count: 1 },
  { label: 'Weekly', sequence: 1, interval: 'week', count: 1 },
  { label: 'Bi-Weekly', sequence: 2, interval: 'week', count: 2 },
  { label: 'Monthly', sequence: 3, interval: 'month', count: 1 },
  { label: 'Quarterly', sequence: 4, interval: 'month', count: 3 },
  { label: 'Twice a Year', sequence: 5, interval: 'month', count: 6 },
  { label: 'Annual', sequence: 6, interval: 'year', count: 1 },
] as const satisfies readonly Frequency[]
export type FrequencyLabel = (typeof FREQUENCIES)[number]['label']

/**
 * Returns the frequency of an interval and a count.
 *
 * @throws for a pair that no price has
 */
export function frequencyOf(interval: string, count: number): (typeof FREQUENCIES)[number] {
  const found = FREQUENCIES.find((one) => one.interval === interval && one.count === count)
  if (!found) throw new Error(`every ${count} ${interval} has no word`)
  return found
}

export const frequencyLabelled = (label: FrequencyLabel): (typeof FREQUENCIES)[number] =>
  FREQUENCIES.find((one) => one.label === label) ?? FREQUENCIES[0]

/** The tabs of the list. A retrying subscription is also active. */
export const SUBSCRIPTION_TABS = ['active', 'retrying', 'awaiting_card', 'paused', 'ended'] as const
export type SubscriptionTab = (typeof SUBSCRIPTION_TABS)[number]

export const CARD_EXPIRIES = ['expired', 'this_month', 'next_month'] as const
export type CardExpiry = (typeof CARD_EXPIRIES)[number]
