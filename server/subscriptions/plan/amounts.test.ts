import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cents } from '../../lib/money.ts'
import { percentOf } from '../../lib/rate.ts'
import { type BillInput, billAmounts, proportionOf } from './amounts.ts'

const RUNS = { numRuns: 2_000, seed: 1 }
const ratePpm = fc.integer({ min: 0, max: 300_000 })
/** Small amounts, where half cents are frequent, and the largest bill: 20 items at the highest price, 1,000 of each. */
const amount = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 2_000_000_000_000 }))

function bill(base: number, rates: Partial<BillInput> = {}) {
  const none = { taxRatePpm: null, surchargeRatePpm: null, surchargeRounding: 'half_up' as const }
  return billAmounts({ baseAmount: base as Cents, ...none, ...rates })
}

/** Rounds half up by long division: the remainder decides. Shares no code with the product. */
function oracle(cents: bigint, ppm: number, rounding: 'half_up' | 'down'): bigint {
  const exact = cents * BigInt(ppm)
  const remainder = exact % 1_000_000n
  const up = rounding === 'half_up' && remainder >= 500_000n
  return (exact - remainder) / 1_000_000n + (up ? 1n : 0n)
}

describe('The amounts of a bill (BIL-14)', () => {
  const rows: [base: number, taxPpm: number, surchargePpm: number, tax: number, surcharge: number, total: number][] = [
    [10_000, 130_000, 24_000, 1_300, 271, 11_571],
    [2_999, 233_300, 0, 700, 0, 3_699],
    [15_467, 250_000, 0, 3_867, 0, 19_334],
    [100, 5_000, 0, 1, 0, 101],
    [99, 5_000, 0, 0, 0, 99],
    [1_005, 100_000, 0, 101, 0, 1_106],
  ]
  for (const [base, taxRatePpm, surchargeRatePpm, tax, surcharge, total] of rows) {
    test(`of ${base} cents at ${percentOf(taxRatePpm)} % and ${percentOf(surchargeRatePpm)} % are ${total} together`, () =>
      deepEqual(bill(base, { taxRatePpm, surchargeRatePpm }), { base, tax, surcharge, total }))
  }

  test('without rates are the base', () => deepEqual(bill(2_500), { base: 2_500, tax: 0, surcharge: 0, total: 2_500 }))

  test('round a surcharge down for a business with a strict cap, and never its tax', () => {
    const rates = { taxRatePpm: 5_000, surchargeRatePpm: 24_000 }
    deepEqual(bill(500, rates), { base: 500, tax: 3, surcharge: 12, total: 515 })
    deepEqual(bill(540, rates), { base: 540, tax: 3, surcharge: 13, total: 556 })
    deepEqual(bill(580, { ...rates, surchargeRounding: 'down' }), { base: 580, tax: 3, surcharge: 13, total: 596 })
    deepEqual(bill(580, rates), { base: 580, tax: 3, surcharge: 14, total: 597 })
  })

  test('round every exact half cent up, at rates that a double cannot hold', () => {
    let wrong = 0
    for (const taxRatePpm of [72_500, 149_750, 88_750, 99_750]) {
      for (let base = 1; base <= 400_000; base++) {
        const product = base * taxRatePpm
        if (product % 1_000_000 === 500_000 && bill(base, { taxRatePpm }).tax !== (product + 500_000) / 1_000_000)
          wrong++
      }
    }
    equal(wrong, 0)
  })

  test('are those of exact integers', () => {
    fc.assert(
      fc.property(
        amount,
        ratePpm,
        ratePpm,
        fc.constantFrom('half_up', 'down'),
        (base, taxRatePpm, surchargeRatePpm, rounding) => {
          const tax = oracle(BigInt(base), taxRatePpm, 'half_up')
          const surcharge = oracle(BigInt(base) + tax, surchargeRatePpm, rounding)
          deepEqual(bill(base, { taxRatePpm, surchargeRatePpm, surchargeRounding: rounding }), {
            base,
            tax: Number(tax),
            surcharge: Number(surcharge),
            total: Number(BigInt(base) + tax + surcharge),
          })
        },
      ),
      RUNS,
    )
  })
})

describe('A proportion of an amount', () => {
  test('is rounded once, from the exact value', () => {
    equal(proportionOf(999 as Cents, 1, 2, 'half_up'), 500)
    equal(proportionOf(999 as Cents, 1, 2, 'down'), 499)
    equal(proportionOf(0 as Cents, 5, 7, 'half_up'), 0)
    // Just below half a cent, and a product beyond the exact integers of a double.
    equal(proportionOf(7_000_030_152_001 as Cents, 31_535_999, 31_536_000, 'half_up'), 7_000_029_930_031)
  })
})
