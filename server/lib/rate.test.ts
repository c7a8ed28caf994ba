import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { percentOf, readRatePpm } from './rate.ts'

const RUNS = { numRuns: 2_000, seed: 1 }

describe('A rate', () => {
  test('is read to a ten-thousandth of a percent: every one from 0 to 30, from its decimal text as JSON has it', () => {
    let wrong = 0
    for (let ppm = 0; ppm <= 300_000; ppm++) {
      const text = `${Math.floor(ppm / 10_000)}.${String(ppm % 10_000).padStart(4, '0')}`
      if (readRatePpm(JSON.parse(text), 30) !== ppm || readRatePpm(percentOf(ppm), 30) !== ppm) wrong++
    }
    equal(wrong, 0)
  })

  test('of 2.4 % is 24,000 millionths, and of 13.5 % it is 135,000', () => {
    equal(readRatePpm(2.4, 2.4), 24_000)
    equal(readRatePpm(13.5, 30), 135_000)
    equal(percentOf(24_000), 2.4)
    equal(readRatePpm(-0, 30), 0)
  })

  const none = [-1, -0.0001, 2.4001, 3, 0.00001, 1e-7, 1e21, 0.1 + 0.2, 1.00005, Number.NaN, Number.POSITIVE_INFINITY]
  for (const percent of none)
    test(`${percent} is not one, where 2.4 is the most`, () => equal(readRatePpm(percent, 2.4), null))

  test('is one exactly when its decimal text has at most four decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 30 }), (percent) => {
        equal(readRatePpm(percent, 30) !== null, /^\d+(\.\d{1,4})?$/.test(String(percent)))
      }),
      RUNS,
    )
  })
})
