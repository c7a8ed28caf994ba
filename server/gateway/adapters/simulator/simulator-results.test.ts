import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cents } from '../../../lib/money.ts'
import type { GatewayResult } from '../../gateway.ts'
import { isResultCode, RESULT_CODES } from '../../result-codes.ts'
import { classifyInquiry, classifyTransaction } from './simulator-results.ts'

const ASKED = 1000 as Cents
const APPROVED = { outcome: 'approved', code: 'AA', gatewayRef: 'G1', issuerReference: 'A1', approvedAmount: 1000 }

describe('Order of classification', () => {
  const rows: [name: string, response: unknown, outcome: GatewayResult['outcome']][] = [
    ['the whole amount with AA', APPROVED, 'approved'],
    ['less than was asked', { ...APPROVED, approvedAmount: 999 }, 'partial'],
    ['nothing of what was asked', { ...APPROVED, approvedAmount: 0 }, 'partial'],
    ['the whole amount, but the code of a partial approval', { ...APPROVED, code: 'AC' }, 'partial'],
    ['the whole amount, called partial', { ...APPROVED, outcome: 'partial' }, 'partial'],
    ['more than was asked', { ...APPROVED, approvedAmount: 1001 }, 'unknown'],
    ['approved without a reference', { ...APPROVED, gatewayRef: undefined }, 'unknown'],
    ['approved with an empty reference', { ...APPROVED, gatewayRef: '' }, 'unknown'],
    ['approved without an amount', { ...APPROVED, approvedAmount: undefined }, 'unknown'],
    ['approved with an amount as text', { ...APPROVED, approvedAmount: '1000' }, 'unknown'],
    ['approved with a fraction of a cent', { ...APPROVED, approvedAmount: 999.5 }, 'unknown'],
    ['approved with an unknown code', { ...APPROVED, code: 'ZZ' }, 'unknown'],
    ['approved without a code', { ...APPROVED, code: undefined }, 'unknown'],
    ['approved with the code of a decline', { ...APPROVED, code: 'ND' }, 'unknown'],
    ['declined with its code', { outcome: 'declined', code: 'NC' }, 'declined'],
    ['declined with the code of an approval', { outcome: 'declined', code: 'AA' }, 'unknown'],
    ['declined without a code', { outcome: 'declined' }, 'unknown'],
    ['duplicate', { outcome: 'duplicate' }, 'unknown'],
    ['refused', { outcome: 'refused', reason: 'not_permitted' }, 'refused'],
    ['an outcome nobody knows', { outcome: 'pending' }, 'unknown'],
    ['null', null, 'unknown'],
    ['text', '<html>', 'unknown'],
    ['an empty object', {}, 'unknown'],
  ]
  for (const [name, response, outcome] of rows) {
    test(`${name} is ${outcome}`, () => equal(classifyTransaction(response, ASKED).outcome, outcome))
  }

  test('a void names no amount, and is approved or not', () => {
    equal(classifyTransaction({ ...APPROVED, approvedAmount: 777 }, null).outcome, 'approved')
    equal(classifyTransaction({ ...APPROVED, code: 'AP' }, null).outcome, 'unknown')
  })

  test('advice that is not known counts as none', () => {
    const result = classifyTransaction({ outcome: 'declined', code: 'ND', advice: 'pray' }, ASKED)
    equal(result.outcome === 'declined' && result.advice, 'none')
  })

  test('whatever comes, only a complete and consistent approval of the whole amount is approved', () => {
    const anything = fc.record(
      {
        outcome: fc.oneof(fc.constantFrom('approved', 'partial', 'declined', 'refused', 'duplicate'), fc.string()),
        code: fc.oneof(fc.constantFrom(...Object.keys(RESULT_CODES)), fc.string(), fc.anything()),
        gatewayRef: fc.oneof(fc.string(), fc.anything()),
        approvedAmount: fc.oneof(fc.integer({ min: 990, max: 1010 }), fc.anything()),
        message: fc.oneof(fc.string(), fc.anything()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(anything, (response) => {
        const result = classifyTransaction(response, ASKED)
        if (result.outcome !== 'approved') return
        ok(response.outcome === 'approved' && response.code === 'AA')
        ok(response.approvedAmount === ASKED && response.gatewayRef)
      }),
      { numRuns: 2_000 },
    )
  })

  test('no code of two characters becomes approved but AA', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2, maxLength: 2 }), (code) => {
        const { outcome } = classifyTransaction({ ...APPROVED, code }, ASKED)
        equal(outcome === 'approved', code === 'AA')
        equal(outcome === 'partial', isResultCode(code) && RESULT_CODES[code].outcome === 'partial')
      }),
    )
  })
})

describe('Classifying an inquiry', () => {
  const transaction = {
    state: 'approved',
    code: 'AA',
    gatewayRef: 'G1',
    issuerReference: 'A1',
    approvedAmount: 1000,
    batchOpen: true,
    message: 'APPROVAL',
  }
  const rows: [name: string, response: unknown, found: true | false | 'indeterminate'][] = [
    ['a complete transaction', { found: true, transaction }, true],
    ['"not found"', { found: false }, false],
    ['"cannot say"', { found: 'indeterminate', message: 'later' }, 'indeterminate'],
    ['an unknown code', { found: true, transaction: { ...transaction, code: 'ZZ' } }, 'indeterminate'],
    ['an unknown state', { found: true, transaction: { ...transaction, state: 'held' } }, 'indeterminate'],
    [
      'declined with the code of an approval',
      { found: true, transaction: { ...transaction, state: 'declined' } },
      'indeterminate',
    ],
    [
      'a transaction without a reference',
      { found: true, transaction: { ...transaction, gatewayRef: '' } },
      'indeterminate',
    ],
    ['found without a transaction', { found: true }, 'indeterminate'],
    ['an error envelope', { error: 'internal' }, 'indeterminate'],
    ['null', null, 'indeterminate'],
  ]
  for (const [name, response, found] of rows) {
    test(`${name} is ${found}`, () => deepEqual(classifyInquiry(response).found, found))
  }
})
