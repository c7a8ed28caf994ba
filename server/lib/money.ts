// Money is an integer count of minor units everywhere inside the service. Decimals exist only in requests and responses
// of the checkout API, and are read and written here.

declare const unit: unique symbol
export type Cents = number & { readonly [unit]: 'cents' }

export type Currency = 'USD' | 'CAD'

/** Highest amount: 999,999.99 in cents (CHK-9). */
export const AMOUNT_CENTS_MAX = 99_999_999

const DECIMAL = /^(\d{1,6})(?:\.(\d{1,2}))?$/

/**
 * Reads an amount of the checkout API from its decimal text, never by multiplying.
 *
 * @param amount major units with at most two decimals: `12.5` means 1250 cents
 * @returns `null` when the amount is negative, above 999,999.99, or has a fraction of a cent
 * @see CHK-9
 */
export function centsFromDecimal(amount: number): Cents | null {
  const parts = DECIMAL.exec(String(amount))
  if (!parts) return null
  const [, whole = '0', fraction = ''] = parts
  return (Number(whole) * 100 + Number(fraction.padEnd(2, '0'))) as Cents
}

const SIGNED_DECIMAL = /^-?\d{1,11}(?:\.\d{1,2})?$/

/**
 * Reads a sum, which may be negative and larger than an amount.
 *
 * @returns `null` for a fraction of a cent
 */
export function centsFromSum(sum: number): Cents | null {
  const text = String(sum)
  if (!SIGNED_DECIMAL.test(text)) return null
  const [whole = '0', fraction = ''] = text.split('.')
  return Number(`${whole}${fraction.padEnd(2, '0')}`) as Cents
}

/** Returns major units: 1250 cents are `12.5`. */
export function decimalFromCents(amount: Cents): number {
  return amount / 100
}

/** Returns a share of an amount, with half a cent rounded up. The rate is in hundredths of a percent: 240 is 2.4 %. */
export function shareOf(amount: Cents, rateBasisPoints: number): Cents {
  return Math.floor((amount * rateBasisPoints + 5_000) / 10_000) as Cents
}
