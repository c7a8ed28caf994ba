import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { passesLuhn } from './luhn.ts'

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

test('exactly one check digit fits what stands before it, so every wrong digit is noticed', () => {
  const digits = fc.stringMatching(/^\d{11,18}$/)
  fc.assert(
    fc.property(digits, (text) => {
      equal(Array.from({ length: 10 }, (_, digit) => `${text}${digit}`).filter(passesLuhn).length, 1)
    }),
    { numRuns: 500, seed: 1 },
  )
})
