import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withCheckDigit } from '../../lib/luhn.ts'
import { codedBehaviour, GATEWAY_DIGITS } from './coded-card.ts'
import { MAGIC_CARDS } from './magic-cards.ts'
import { openSimulator } from './simulator.ts'
import { threeDsTestCards } from './three-ds-test-cards.ts'
import type { TransactionResponse } from './wire.ts'

// digits, result code, how the response is delivered, recorded
const SALES: [digits: string, code: string, delivery: string, recorded: boolean][] = [
  ['000', 'AA', 'response', true],
  ['001', 'ND', 'response', true],
  ['002', 'NC', 'response', true],
  ['003', 'N7', 'response', true],
  ['004', 'NR', 'response', true],
  ['005', 'NF', 'response', true],
  ['006', 'AP', 'response', true],
  ['007', 'AC', 'response', true],
  ['008', 'AA', 'silence', false],
  ['009', 'AA', '500', false],
  ['010', 'AA', 'response', true],
  ['099', 'AA', 'response', true],
]

describe('Coded cards', () => {
  for (const [digits, code, how, recorded] of SALES) {
    test(`the gateway's digits ${digits} are ${code}, ${how}`, async () => {
      for (const prefix of ['400000202000', '520000202000', '340000202000', '400000203120']) {
        const ofBrand = prefix.startsWith('34') ? digits.slice(1) : digits
        const { response, delivery, isRecorded } = await sell(withCheckDigit(prefix + ofBrand))
        const travels = typeof delivery === 'object' ? String(delivery.status) : delivery
        deepEqual([response.code, travels, isRecorded], [code, how, recorded], prefix)
      }
    })
  }

  test('every one of the digits is tested', () => {
    deepEqual(SALES.map(([digits]) => digits).slice(0, 10), Object.keys(GATEWAY_DIGITS).sort())
  })

  test('no magic card is coded, and none of the 3-D Secure cards is a magic card', () => {
    const magic = MAGIC_CARDS.map(({ number }) => number)
    deepEqual(
      magic.filter((number) => codedBehaviour(number) !== undefined),
      [],
    )
    const coded = threeDsTestCards().flatMap(({ visa, mastercard, amex }) => [visa, mastercard, amex])
    equal(new Set([...coded, ...magic]).size, 26 * 3 + magic.length)
    for (const number of coded) equal(codedBehaviour(number), 'approved', number)
  })

  test('the numbers end with their check digit', () => {
    const [first, , , , , , refused] = threeDsTestCards()
    deepEqual(
      [first?.visa, first?.mastercard, first?.amex, refused?.visa, refused?.mastercard, refused?.amex],
      [
        '4000002020000004',
        '5200002020000009',
        '340000202000005',
        '4000002020100002',
        '5200002020100007',
        '340000202010004',
      ],
    )
  })
})

async function sell(number: string) {
  const simulator = await openSimulator({ seed: 'TEST' })
  const card = { number, expMonth: 12, expYear: 2090 }
  const sale = { merchantRef: 'ref', amount: 1000, currency: 'USD', card }
  const { response, delivery } = await simulator.handle('sale', 'shop', sale)
  return { response: response as TransactionResponse, delivery, isRecorded: simulator.ledger.rows[0]?.recorded }
}
