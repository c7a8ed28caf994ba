import { deepEqual, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { type Canaries, findCanaries } from './canary-scan.ts'

const CVV = '739'
const CAVV = randomBytes(20).toString('base64')
const CRYPTOGRAM = randomBytes(20).toString('base64')
const CANARIES: Canaries = {
  numbers: [withCheckDigit('453957876543210'), withCheckDigit('448562777777777')],
  cvvs: [CVV],
  proofs: [CAVV, CRYPTOGRAM],
}

describe('The scanner finds what it is for', () => {
  const [number = ''] = CANARIES.numbers
  const spaced = number.replace(/(.{4})(?=.)/g, '$1 ')
  const leaks: Record<string, string> = {
    plain: `{"msg":"paying with ${number}"}`,
    spaced,
    dashed: spaced.replaceAll(' ', '-'),
    base64: Buffer.from(`{"cardNumber":"${number}"}`).toString('base64'),
    'base64, shifted': Buffer.from(`{"cardNumber": "${number}"}`).toString('base64'),
    'base64, shifted again': Buffer.from(`{"card_Number": "${number}"}`).toString('base64'),
    hex: Buffer.from(`x${number}`).toString('hex'),
    'URL-encoded': [...number].map((digit) => `%3${digit}`).join(''),
    'JSON-escaped': [...number].map((digit) => `\\u003${digit}`).join(''),
    'UTF-16': Buffer.from(number, 'utf16le').toString('hex'),
    'a CAVV': `{"cavv":"${CAVV}"}`,
    'a CAVV in hex': Buffer.from(CAVV, 'base64').toString('hex').toUpperCase(),
    'a CAVV in base64 once more': Buffer.from(`{"cavv":"${CAVV}"}`).toString('base64'),
    'a cryptogram for URLs': Buffer.from(CRYPTOGRAM, 'base64').toString('base64url'),
    'a CVV in JSON': `{"cvv":"${CVV}"}`,
    'a CVV in a form': `cvc=${CVV}&x=1`,
    'a CVV in escaped JSON': `"{\\"cvv\\":\\"${CVV}\\"}"`,
    'somebody else’s number': 'card 378282246310005 declined',
    'somebody else’s number, spaced': '4000 0000 0000 0002',
  }
  for (const [name, line] of Object.entries(leaks)) {
    test(name, () => ok(findCanaries(`good line\n${line}`, CANARIES).some((found) => found.startsWith('line 2'))))
  }

  test('and repeats none of it', () => {
    const report = findCanaries(Object.values(leaks).join('\n'), CANARIES).join('\n')
    ok(!CANARIES.numbers.some((canary) => report.includes(canary)))
  })

  test('and is silent about what is not a card', () => {
    const lines = [
      `time ${Date.now()}`,
      '019aabcd-0000-7000-8000-000000000000',
      '4242424242424241',
      '453957******1234',
      `"code":"${CVV}"`,
    ]
    deepEqual(findCanaries(lines.join('\n'), CANARIES), [])
  })
})
