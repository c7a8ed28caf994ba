import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AMOUNT_CENTS_MAX, type Cents, centsFromDecimal, decimalFromCents, shareOf } from './money.ts'

const RUNS = { numRuns: 2_000, seed: 1 }

describe('An amount in major units', () => {
  test('is read to the cent: the first million values, from their decimal text as JSON has it', () => {
    let wrong = 0
    for (let cents = 0; cents < 1_000_000; cents++) {
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
      if (centsFromDecimal(JSON.parse(text)) !== cents) wrong++
    }
    equal(wrong, 0)
  })

  test('survives the conversion both ways, up to 999,999.99', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: AMOUNT_CENTS_MAX }), (cents) => {
        equal(centsFromDecimal(decimalFromCents(cents as Cents)), cents)
      }),
      RUNS,
    )
    equal(centsFromDecimal(999_999.99), AMOUNT_CENTS_MAX)
  })

  test('is an amount exactly when its decimal text has at most six digits and two decimals', () => {
    fc.assert(
      fc.property(fc.double(), (number) => {
        const isAmount = /^\d{1,6}(\.\d{1,2})?$/.test(String(number))
        equal(centsFromDecimal(number) !== null, isAmount)
      }),
      RUNS,
    )
  })

  const none = [-1, -0.01, 1e6, 1e21, Number.POSITIVE_INFINITY, Number.NaN, 0.1 + 0.2, 12.345, 1e-7, 1.005, 0.001]
  for (const number of none) test(`${number} is none`, () => equal(centsFromDecimal(number), null))

  test('-0 is 0', () => equal(centsFromDecimal(-0), 0))
})

describe('A share of an amount', () => {
  const rows: [cents: number, rate: number, share: number][] = [
    [2_550, 240, 61],
    [10_000, 240, 240],
    [50, 100, 1],
    [49, 100, 0],
    [AMOUNT_CENTS_MAX, 240, 2_400_000],
    [1, 0, 0],
  ]
  for (const [cents, rate, share] of rows) {
    test(`${rate / 100} % of ${cents} cents is ${share}, half a cent rounded up`, () =>
      equal(shareOf(cents as Cents, rate), share))
  }
})
