import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFrameMessage, readParentMessage } from './browser-messages.ts'

const RESULT = { type: 'rc:checkout_result', v: 1, session_id: 's-1' }
const SUCCEEDED = { ...RESULT, status: 'succeeded', transaction_id: 't-1', receipt_id: '7', amount: 39.55 }
const FAILED = { ...RESULT, status: 'failed', message: 'No attempts left', error_code: 'max_attempts_reached' }

const GOOD: object[] = [
  { type: 'rc:checkout_ready', v: 1, session_id: 's-1' },
  { type: 'rc:checkout_height', v: 1, height: 612 },
  { type: 'rc:checkout_state', v: 1, phase: 'submitting' },
  { type: 'rc:checkout_close_request', v: 1 },
  SUCCEEDED,
  { ...SUCCEEDED, currency: 'CAD' },
  { ...RESULT, status: 'canceled' },
  FAILED,
]

const WRONG: [what: string, message: unknown][] = [
  ['nothing', null],
  ['a text', 'rc:checkout_ready'],
  ['a list', []],
  ['no type', { v: 1, session_id: 's-1' }],
  ['a type that is not text', { type: { toString: 1 }, v: 1 }],
  ['the name of a built-in', { type: 'constructor', v: 1 }],
  ['a message of the other direction', { type: 'rc:parent_close' }],
  ['a later protocol', { type: 'rc:checkout_ready', v: 2, session_id: 's-1' }],
  ['no protocol', { type: 'rc:checkout_ready', session_id: 's-1' }],
  ['half a pixel', { type: 'rc:checkout_height', v: 1, height: 612.5 }],
  ['a height as text', { type: 'rc:checkout_height', v: 1, height: '612' }],
  ['a phase nobody knows', { type: 'rc:checkout_state', v: 1, phase: 'paid' }],
  ['a result without a status', RESULT],
  ['a result with a status nobody knows', { ...RESULT, status: 'approved' }],
  ['a status that is not text', { ...RESULT, status: { toString: 1 } }],
  ['a success without its amount', { ...SUCCEEDED, amount: undefined }],
  ['an endless amount', { ...SUCCEEDED, amount: Number.POSITIVE_INFINITY }],
  ['a negative amount', { ...SUCCEEDED, amount: -1 }],
  ['a currency that is not text', { ...SUCCEEDED, currency: 124 }],
  ['a failure without its code', { ...FAILED, error_code: undefined }],
  ['a text without end', { ...FAILED, message: 'x'.repeat(501) }],
]

describe('Browser messages', () => {
  for (const message of GOOD) {
    test(`${JSON.stringify(message)} is read`, () => deepEqual(readFrameMessage(message), message))
  }
  for (const [what, message] of WRONG) {
    test(`${what} is not`, () => equal(readFrameMessage(message), null))
  }

  test('what does not belong to a message is left behind', () => {
    deepEqual(readFrameMessage({ ...SUCCEEDED, email: 'payer@example.com', __proto__: { admin: true } }), SUCCEEDED)
  })

  test('a parent may ask to close and set the scheme, and nothing else', () => {
    deepEqual(readParentMessage({ type: 'rc:parent_close' }), { type: 'rc:parent_close' })
    const dark = { type: 'rc:parent_theme_scheme', scheme: 'dark' }
    deepEqual(readParentMessage(dark), dark)
    equal(readParentMessage({ ...dark, scheme: 'url(//evil)' }), null)
    equal(readParentMessage(SUCCEEDED), null)
  })
})
