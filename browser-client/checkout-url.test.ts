import { equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameScriptOrigin, readCheckoutUrl } from './checkout-url.ts'

const PATH = `/customer/checkout/${'a'.repeat(64)}`
const FORM = 'https://pay.rialto.co.uk'

const GOOD: [url: string, checkoutOrigin?: string][] = [
  [`${FORM}${PATH}`],
  [`${FORM}${PATH.replace('checkout', 'checkout-rapid')}?locale=es`],
  [`${FORM}${PATH}`, `${FORM}/`],
  [`https://pay.rialto.example:8443${PATH}`, 'https://pay.rialto.example:8443'],
  [`http://localhost:4001${PATH}`, 'http://localhost:4001'],
]

const WRONG: [what: string, url: unknown, checkoutOrigin?: string][] = [
  ['a neighbour under a public suffix', `https://evil.co.uk${PATH}`],
  ['a neighbour of the same company', `https://api.rialto.co.uk${PATH}`],
  ['the domain above', `https://rialto.co.uk${PATH}`],
  ['a host below', `https://x.pay.rialto.co.uk${PATH}`],
  ['a host that ends alike', `https://evilpay.rialto.co.uk${PATH}`],
  ['our host with more behind it', `https://pay.rialto.co.uk.evil.example${PATH}`],
  ['our host as a user name', `https://pay.rialto.co.uk@evil.example${PATH}`],
  ['another port', `https://pay.rialto.co.uk:8443${PATH}`],
  ['plain HTTP', `http://pay.rialto.co.uk${PATH}`],
  ['another port of this machine', `http://localhost:4009${PATH}`, 'http://localhost:4001'],
  ['a script', `javascript:alert(1)//${PATH}`],
  ['another page of ours', `${FORM}/login`],
  ['a short token', `${FORM}/customer/checkout/abc`],
  ['another origin than the shop has named', `${FORM}${PATH}`, 'https://elsewhere.example'],
  ['anything, when the shop has named no origin but a word', `${FORM}${PATH}`, 'pay.rialto.co.uk'],
  ['nothing', undefined],
]

describe('Client library: where a payer may be sent', () => {
  test('nowhere, when neither the service nor the shop has named the origin of the form', () => {
    throws(() => readCheckoutUrl(`${FORM}${PATH}`), { code: 'invalid_options', message: 'Check checkoutOrigin' })
    equal(readCheckoutUrl(`${FORM}${PATH}`, FORM).origin, FORM)
    nameScriptOrigin(FORM)
  })
  for (const [url, checkoutOrigin] of GOOD) {
    test(`${url} is good when the form is at ${checkoutOrigin ?? FORM}`, () => {
      equal(readCheckoutUrl(url, checkoutOrigin).href, url)
    })
  }
  for (const [what, url, checkoutOrigin] of WRONG) {
    test(`${what} is not`, () => {
      throws(() => readCheckoutUrl(url, checkoutOrigin), { code: 'invalid_options' })
    })
  }
})
