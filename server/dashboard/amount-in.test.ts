import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { amountIn } from './amount-in.ts'

describe('What is typed into the search is an amount', () => {
  const AMOUNTS: Record<string, number> = {
    '40.00': 4000,
    '40,00': 4000,
    '$40.00': 4000,
    $40: 4000,
    '40,00 $': 4000,
    '40,00\u00a0$': 4000,
    '40,00 $ CA': 4000,
    'US$40.00': 4000,
    '40.00 usd': 4000,
    '1,234.56': 123_456,
    '1.234,56': 123_456,
    '1 234,56 $': 123_456,
    '1\u202f234,56\u00a0$': 123_456,
    '$1,234': 123_400,
    '999,999.99': 99_999_999,
    '0.05': 5,
  }
  for (const [text, cents] of Object.entries(AMOUNTS))
    test(`${text}: ${cents} cents`, () => equal(amountIn(text), cents))

  const OTHERS = ['40', '1,234', '1,234,56', '1.234.56', '$1,234,567.00', '12.345', '$', 'USD', '40.00 €', '1,2 34.00']
  for (const text of [...OTHERS, '-40.00', '40.00 to', '00 40.00'])
    test(`${text}: none`, () => equal(amountIn(text), null))
})
