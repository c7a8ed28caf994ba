import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { luhnOfParts, passesLuhn } from './luhn.ts'

test('published test numbers pass the Luhn check', () => {
  for (const number of [
    '4242424242424242',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
    '30569309025904',
  ]) {
    ok(passesLuhn(number), number)
  }
})

test('exactly one check digit fits the digits before it, so every wrong digit is detected', () => {
  const digits = fc.stringMatching(/^\d{11,18}$/)
  fc.assert(
    fc.property(digits, (text) => {
      equal(Array.from({ length: 10 }, (_, digit) => `${text}${digit}`).filter(passesLuhn).length, 1)
    }),
    { numRuns: 500, seed: 1 },
  )
})

test('of the parts of a row of digits each passes when it passes by itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,30}$/), fc.nat(30), fc.nat(30), (row, one, other) => {
      const [from, to] = [Math.min(one, other, row.length), Math.min(Math.max(one, other), row.length)]
      equal(luhnOfParts(row)(from, to), passesLuhn(row.slice(from, to)))
    }),
    { numRuns: 2_000, seed: 1 },
  )
})
