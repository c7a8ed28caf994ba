import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageHeadersInput } from '../contract/payment-page.ts'
import { paymentPageHeaders } from './page-headers.ts'

const INPUT: PageHeadersInput = {
  surface: 'hosted',
  nonce: 'bm9uY2U=',
  scriptUrl: 'https://pay.example/assets/form.js',
  apiOrigin: 'https://api.example',
  parentOrigin: null,
  hasImages: false,
  frameOrigins: [],
  isHttps: true,
}

const headersOf = (input: Partial<PageHeadersInput>) => paymentPageHeaders({ ...INPUT, ...input })
const rulesOf = (input: Partial<PageHeadersInput>) => (headersOf(input)['content-security-policy'] ?? '').split('; ')

describe('the headers of the payment page: frames', () => {
  test('a page without 3-D Secure and without a wallet frames nothing', () => {
    deepEqual(
      rulesOf({}).filter((rule) => rule.startsWith('frame-src')),
      [],
    )
    equal(rulesOf({})[0], "default-src 'none'")
  })

  test('TDS-5: a page frames what it is given, and its other rules stay as they are', () => {
    const framing = rulesOf({ frameOrigins: ["'self'", 'https://wallet.example'] })
    deepEqual(
      framing.filter((rule) => !rulesOf({}).includes(rule)),
      ["frame-src 'self' https://wallet.example"],
    )
    deepEqual(
      framing.filter((rule) => !rule.startsWith('frame-src')),
      rulesOf({}),
    )
  })

  test('payment is delegated to framed origins, and the keys of a device to none', () => {
    const policyOf = (frameOrigins: string[]) => headersOf({ frameOrigins })['permissions-policy']
    const policy = (payment: string) =>
      `camera=(), microphone=(), geolocation=(), payment=(${payment}), publickey-credentials-get=(self)`
    equal(policyOf([]), policy('self'))
    equal(policyOf(["'self'"]), policy('self'))
    equal(policyOf(["'self'", 'https://wallet.example']), policy('self "https://wallet.example"'))
  })
})
