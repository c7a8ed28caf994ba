import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodeCreq, encodeMethodData, readCres, readMethodNotification, WINDOW_SIZES } from './creq.ts'
import { CHALLENGE_WINDOWS } from './three-ds-server.ts'

const SERVER = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
const ACS = '43163cd0-c849-4924-82c1-7bec32b94881'
const CRES = {
  messageType: 'CRes',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER,
  acsTransID: ACS,
  challengeCompletionInd: 'Y',
  transStatus: 'Y',
}

const base64 = (message: unknown, encoding: BufferEncoding = 'base64url') =>
  Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)).toString(encoding)
const decoded = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())

describe('messages through the browser', () => {
  test('a challenge request is the JSON of the protocol in base64url without padding (TDS-3)', () => {
    for (const window of CHALLENGE_WINDOWS) {
      const text = encodeCreq({
        serverTransactionId: SERVER,
        acsTransactionId: ACS,
        messageVersion: '2.3.1',
        window,
      })
      match(text, /^[\w-]+$/)
      deepEqual(decoded(text), {
        threeDSServerTransID: SERVER,
        acsTransID: ACS,
        messageVersion: '2.3.1',
        messageType: 'CReq',
        challengeWindowSize: window,
      })
    }
  })

  test('each window has the size of the protocol', () => {
    deepEqual(
      CHALLENGE_WINDOWS.map((window) => WINDOW_SIZES[window] && Object.values(WINDOW_SIZES[window]).join('x')),
      ['250x400', '390x400', '500x600', '600x400', null],
    )
  })

  test('method data is the JSON of the protocol in base64url without padding, for URLs of every length', () => {
    for (const path of ['a', 'ab', 'abc', 'é?>~']) {
      const notificationUrl = `https://form.example.com/customer/ddd/method-done/${path}`
      const text = encodeMethodData({ serverTransactionId: SERVER, notificationUrl })
      match(text, /^[\w-]+$/)
      deepEqual(decoded(text), { threeDSServerTransID: SERVER, threeDSMethodNotificationURL: notificationUrl })
    }
  })

  test('a result is read padded and unpadded, in both alphabets', () => {
    const expected = { serverTransactionId: SERVER, acsTransactionId: ACS, transStatus: 'Y' }
    for (const extra of ['', 'a', 'ab', 'éÿ?>~']) {
      const cres = { ...CRES, cardholderInfo: extra }
      const padded = base64(cres, 'base64')
      const unpadded = base64(cres)
      for (const text of [padded, unpadded, unpadded + '='.repeat((4 - (unpadded.length % 4)) % 4)]) {
        deepEqual(readCres({ cres: text, threeDSSessionData: 'x' }), expected)
      }
    }
  })

  test('a method notification is read padded and unpadded', () => {
    for (const text of [base64({ threeDSServerTransID: SERVER }), base64({ threeDSServerTransID: SERVER }, 'base64')]) {
      deepEqual(readMethodNotification({ threeDSMethodData: text }), { serverTransactionId: SERVER })
    }
  })

  const unusable: [name: string, message: unknown][] = [
    ['another message', { ...CRES, messageType: 'Erro' }],
    ['no type', { ...CRES, messageType: undefined }],
    ['an id that is not one', { ...CRES, acsTransID: '../../etc/passwd' }],
    ['an id with a line break after it', { ...CRES, threeDSServerTransID: `${SERVER}\n` }],
    ['an id that is a list', { ...CRES, threeDSServerTransID: [SERVER] }],
    ['no result', { ...CRES, transStatus: undefined }],
    ['a result that is a word', { ...CRES, transStatus: 'YES' }],
    ['a list', [CRES]],
    ['null', null],
    ['text', 'Y'],
    ['JSON cut off', JSON.stringify(CRES).slice(0, -1)],
    ['nothing', ''],
    ['nested objects', '['.repeat(5_000)],
  ]
  for (const [name, message] of unusable) {
    test(`a result is not usable: ${name}`, () => equal(readCres({ cres: base64(message) }), null))
  }

  test('what is too long is not read', () => {
    equal(readCres({ cres: base64({ ...CRES, more: 'x'.repeat(20_000) }) }), null)
  })

  test('a posted field that repeats, is inherited or is not a text is not usable', () => {
    const cres = base64(CRES)
    for (const posted of [null, undefined, cres, [cres], {}, { cres: [cres, cres] }, { cres: 1 }, { CRes: cres }]) {
      equal(readCres(posted), null)
    }
    equal(readCres(Object.create({ cres })), null)
    equal(readMethodNotification(Object.create({ threeDSMethodData: cres })), null)
    equal(readCres({ cres: `${cres}\n` }), null)
    equal(readCres({ cres: `=${cres}` }), null)
  })

  test('nothing that is posted makes them throw', () => {
    const isNull = (posted: unknown) => readCres(posted) === null && readMethodNotification(posted) === null
    fc.assert(fc.property(fc.anything({ withNullPrototype: true }), isNull))
    const text = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((json) => base64(json)),
    )
    fc.assert(fc.property(text, (cres) => isNull({ cres, threeDSMethodData: cres })))
  })
})
