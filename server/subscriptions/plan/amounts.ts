import type { Cents } from '../../lib/money.ts'

// Rates are integers in millionths (server/lib/rate.ts).

export type Rounding = 'half_up' | 'down'

export interface BillInput {
  /** Unit amount times quantity, over all items. */
  baseAmount: Cents
  /** `null` if the subscription has none; charged like a rate of 0. */
  taxRatePpm: number | null
  surchargeRatePpm: number | null
  surchargeRounding: Rounding
}

export interface BillAmounts {
  base: Cents
  tax: Cents
  surcharge: Cents
  total: Cents
}

const PPM = 1_000_000

/**
 * Computes what a bill charges. Tax is calculated on the base, the surcharge on base plus tax, since both are charged
 * to the card.
 *
 * @see BIL-14
 */
export function billAmounts({ baseAmount, taxRatePpm, surchargeRatePpm, surchargeRounding }: BillInput): BillAmounts {
  const tax = proportionOf(baseAmount, taxRatePpm ?? 0, PPM, 'half_up')
  const taxed = (baseAmount + tax) as Cents
  const surcharge = proportionOf(taxed, surchargeRatePpm ?? 0, PPM, surchargeRounding)
  return { base: baseAmount, tax, surcharge, total: (taxed + surcharge) as Cents }
}

/** Multiplies an amount by a fraction of non-negative integers, rounding once from the exact value. */
export function proportionOf(amount: Cents, numerator: number, denominator: number, rounding: Rounding): Cents {
  const product = BigInt(amount) * BigInt(numerator)
  const divisor = BigInt(denominator)
  const rounded = rounding === 'down' ? product / divisor : (2n * product + divisor) / (2n * divisor)
  return Number(rounded) as Cents
}
