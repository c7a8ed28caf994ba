import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cents } from '../../../lib/money.ts'
import type { GatewayResult } from '../../gateway.ts'
import { isResultCode, RESULT_CODES } from '../../result-codes.ts'
import { classifyInquiry, classifyTransaction } from './simulator-results.ts'

const REQUESTED = 1000 as Cents
const APPROVED = { outcome: 'approved', code: 'AA', gatewayRef: 'G1', issuerReference: 'A1', approvedAmount: 1000 }

describe('classifyTransaction', () => {
  const rows: [name: string, response: unknown, outcome: GatewayResult['outcome']][] = [
    ['the whole amount with AA', APPROVED, 'approved'],
    ['less than requested', { ...APPROVED, approvedAmount: 999 }, 'partial'],
    ['an approved amount of zero', { ...APPROVED, approvedAmount: 0 }, 'partial'],
    ['the whole amount with the code of a partial approval', { ...APPROVED, code: 'AC' }, 'partial'],
    ['the whole amount with the outcome partial', { ...APPROVED, outcome: 'partial' }, 'partial'],
    ['more than requested', { ...APPROVED, approvedAmount: 1001 }, 'unknown'],
    ['approved without a reference', { ...APPROVED, gatewayRef: undefined }, 'unknown'],
    ['approved with an empty reference', { ...APPROVED, gatewayRef: '' }, 'unknown'],
    ['approved without an amount', { ...APPROVED, approvedAmount: undefined }, 'unknown'],
    ['approved with an amount that is a string', { ...APPROVED, approvedAmount: '1000' }, 'unknown'],
    ['approved with a fraction of a cent', { ...APPROVED, approvedAmount: 999.5 }, 'unknown'],
    ['approved with an unknown code', { ...APPROVED, code: 'ZZ' }, 'unknown'],
    ['approved without a code', { ...APPROVED, code: undefined }, 'unknown'],
    ['approved with the code of a decline', { ...APPROVED, code: 'ND' }, 'unknown'],
    ['declined with the code of a decline', { outcome: 'declined', code: 'NC' }, 'declined'],
    ['declined with the code of an approval', { outcome: 'declined', code: 'AA' }, 'unknown'],
    ['declined without a code', { outcome: 'declined' }, 'unknown'],
    ['duplicate', { outcome: 'duplicate' }, 'unknown'],
    ['refused', { outcome: 'refused', reason: 'not_permitted' }, 'refused'],
    ['an outcome that does not exist', { outcome: 'pending' }, 'unknown'],
    ['null', null, 'unknown'],
    ['a string', '<html>', 'unknown'],
    ['an empty object', {}, 'unknown'],
  ]
  for (const [name, response, outcome] of rows) {
    test(`${name} is ${outcome}`, () => equal(classifyTransaction(response, REQUESTED).outcome, outcome))
  }

  test('the amount of a void is ignored, and a partial void is unknown', () => {
    equal(classifyTransaction({ ...APPROVED, approvedAmount: 777 }, null).outcome, 'approved')
    equal(classifyTransaction({ ...APPROVED, code: 'AP' }, null).outcome, 'unknown')
  })

  test('unknown advice counts as none', () => {
    const result = classifyTransaction({ outcome: 'declined', code: 'ND', advice: 'pray' }, REQUESTED)
    equal(result.outcome === 'declined' && result.advice, 'none')
  })

  test('only a complete and consistent approval of the whole amount is approved', () => {
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
        const result = classifyTransaction(response, REQUESTED)
        if (result.outcome !== 'approved') return
        ok(response.outcome === 'approved' && response.code === 'AA')
        ok(response.approvedAmount === REQUESTED && response.gatewayRef)
      }),
      { numRuns: 2_000 },
    )
  })

  test('of all two-character codes only AA is approved', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2, maxLength: 2 }), (code) => {
        const { outcome } = classifyTransaction({ ...APPROVED, code }, REQUESTED)
        equal(outcome === 'approved', code === 'AA')
        equal(outcome === 'partial', isResultCode(code) && RESULT_CODES[code].outcome === 'partial')
      }),
    )
  })
})

describe('classifyInquiry', () => {
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
    ['"indeterminate"', { found: 'indeterminate', message: 'later' }, 'indeterminate'],
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
    test(`${name} is found: ${found}`, () => deepEqual(classifyInquiry(response).found, found))
  }
})
