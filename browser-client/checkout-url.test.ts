import { equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCheckoutUrl } from './checkout-url.ts'

const PATH = `/customer/checkout/${'a'.repeat(64)}`
const API = 'https://api.rialto.example'

const GOOD: [url: string, base: string, checkoutOrigin?: string][] = [
  [`https://pay.rialto.example${PATH}`, API],
  [`https://api.rialto.example${PATH}`, API],
  [`https://rialto.example${PATH}`, 'https://rialto.example:8443'],
  [`http://localhost:4001${PATH}`, 'http://localhost:4000'],
  [`http://127.0.0.1:4001${PATH}`, 'http://127.0.0.1:4000'],
  [`https://elsewhere.example${PATH}`, API, 'https://elsewhere.example'],
  [`https://pay.rialto.example${PATH.replace('checkout', 'checkout-rapid')}?locale=es`, API],
]

const WRONG: [what: string, url: unknown, base?: string, checkoutOrigin?: string][] = [
  ['another host', `https://pay.evil.example${PATH}`],
  ['a host that ends alike', `https://pay.evilrialto.example${PATH}`],
  ['our host as a user name', `https://api.rialto.example@evil.example${PATH}`],
  ['plain HTTP', `http://pay.rialto.example${PATH}`],
  ['a script', `javascript:alert(1)//${PATH}`],
  ['another page of ours', 'https://pay.rialto.example/login'],
  ['a short token', 'https://pay.rialto.example/customer/checkout/abc'],
  ['a neighbour in the numbers', `https://11.0.0.1${PATH}`, 'https://10.0.0.1'],
  ['a neighbour in the top-level domain', `https://evil${PATH}`, 'https://rialto'],
  ['another origin than the shop has named', `https://pay.rialto.example${PATH}`, API, 'https://elsewhere.example'],
  ['nothing', undefined],
]

describe('Client library: where a payer may be sent', () => {
  for (const [url, base, checkoutOrigin] of GOOD) {
    test(`${url} is good beside ${checkoutOrigin ?? base}`, () => {
      equal(readCheckoutUrl(url, base, checkoutOrigin).href, url)
    })
  }
  for (const [what, url, base = API, checkoutOrigin] of WRONG) {
    test(`${what} is not`, () => {
      throws(() => readCheckoutUrl(url, base, checkoutOrigin), { code: 'invalid_options' })
    })
  }
})
