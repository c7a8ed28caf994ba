import type { Cents } from '../../lib/money.ts'

// Rates are integers in millionths (server/lib/rate.ts).

export type Rounding = 'half_up' | 'down'

export interface BillInput {
  /** Unit amount times quantity, over all items. */
  baseAmount: Cents
  /** `null` when the subscription has none, which charges as a rate of 0. */
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
 * What a bill charges. Tax is on the base; the surcharge is on base and tax, as both are put on the card.
 *
 * @see BIL-14
 */
export function billAmounts({ baseAmount, taxRatePpm, surchargeRatePpm, surchargeRounding }: BillInput): BillAmounts {
  const tax = proportionOf(baseAmount, taxRatePpm ?? 0, PPM, 'half_up')
  const taxed = (baseAmount + tax) as Cents
  const surcharge = proportionOf(taxed, surchargeRatePpm ?? 0, PPM, surchargeRounding)
  return { base: baseAmount, tax, surcharge, total: (taxed + surcharge) as Cents }
}

/** An amount times a fraction of non-negative integers, rounded once from the exact value. */
export function proportionOf(amount: Cents, numerator: number, denominator: number, rounding: Rounding): Cents {
  const product = BigInt(amount) * BigInt(numerator)
  const divisor = BigInt(denominator)
  const rounded = rounding === 'down' ? product / divisor : (2n * product + divisor) / (2n * divisor)
  return Number(rounded) as Cents
}
