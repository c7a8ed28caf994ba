// Rates are integers in millionths: 1 % is 10,000, and 2.4 % is 24,000.

/** Highest tax rate of a subscription, in percent. */
export const TAX_RATE_MAX = 30

const PERCENT = /^(\d{1,3})(?:\.(\d{1,4}))?$/

/**
 * Reads a rate in percent from its decimal text, never by multiplying.
 *
 * @param max maximum in percent, inclusive
 * @returns `null` if the rate is negative, above the maximum, or has more than four decimals
 */
export function readRatePpm(percent: number, max: number): number | null {
  const parts = PERCENT.exec(String(percent))
  if (!parts || percent > max) return null
  const [, whole = '0', fraction = ''] = parts
  return Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'))
}

/** Returns a rate in percent: 24,000 is `2.4`. */
export function percentOf(ratePpm: number): number {
  return ratePpm / 10_000
}
