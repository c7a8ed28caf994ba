import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RESULT_CODES } from '../gateway/result-codes.ts'
import { chargeBlockOf } from './charge-block.ts'

describe('What forbids charges of a card without the payer (BIL-20)', () => {
  test('is NC alone of the result codes', () => {
    deepEqual(
      Object.keys(RESULT_CODES).filter((code) => chargeBlockOf({ code }) !== null),
      ['NC'],
    )
  })

  test('is the advice never to try again, or to stop recurring charges, with any code', () => {
    equal(chargeBlockOf({ code: 'ND', advice: 'never' }), 'ND')
    equal(chargeBlockOf({ code: 'ND', advice: 'stop_recurring' }), 'ND')
    equal(chargeBlockOf({ code: 'ND', advice: 'later' }), null)
    equal(chargeBlockOf({ code: 'ND', advice: 'correct_data' }), null)
    equal(chargeBlockOf({ code: 'NC', advice: 'none' }), 'NC')
  })
})
