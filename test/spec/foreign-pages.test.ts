import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, type Response, send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'

// Requests that a page of any site can make a visitor's browser send. Browsers set `Origin` and `Sec-Fetch-Site`; no
// page can.

type Headers = Record<string, string>

const ADDRESS = { postal_code: '10001', country: 'US' }
const FIELDS = {
  payment_method: 'new_card',
  cardnumber: CARDS.visa,
  exp: '12/31',
  cvc: '123',
  ccname: 'Ana Roy',
  postal: '10001',
  line1: '1 Main Street',
  country: 'US',
}

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  merchant = merchantOf(service)
})
after(() => service.close())

const post = (url: string, body: string, type: string, headers: Headers) =>
  send(url, { method: 'POST', body, headers: { 'content-type': type, ...headers } })
const postJson = (path: string, body: unknown) => (token: string, headers: Headers) =>
  post(`${service.url}/api/checkout/${token}${path}`, JSON.stringify(body), 'application/json', headers)
const postForm = (path: string) => (token: string, headers: Headers) => {
  const body = new URLSearchParams(FIELDS).toString()
  return post(`${service.formUrl}${path}/${token}`, body, 'application/x-www-form-urlencoded', headers)
}

const DOORS: Record<string, (token: string, headers: Headers) => Promise<Response>> = {
  'POST …/pay': postJson('/pay', payBody()),
  'POST …/customer': postJson('/customer', { name: 'Ana', email: 'typed@example.com' }),
  'POST …/surcharge': postJson('/surcharge', { bin: '424242', billing_address: ADDRESS }),
  'POST of the page': postForm('/customer/checkout'),
  'POST of the modal': postForm('/customer/checkout-rapid'),
}
const isPage = (door: string) => door.includes(' of the ')

/** `FORM` and `API` stand for the origins of the two listeners. */
const FOREIGN: Record<string, Headers> = {
  'Sec-Fetch-Site: cross-site': { 'sec-fetch-site': 'cross-site' },
  'Sec-Fetch-Site: same-site': { 'sec-fetch-site': 'same-site' },
  'Sec-Fetch-Site: something-new': { 'sec-fetch-site': 'something-new' },
  'a foreign Origin': { origin: 'https://evil.example' },
  'a foreign Origin, cross-site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another port of the same host': { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
  'another scheme': { origin: 'https:FORM', 'sec-fetch-site': 'cross-site' },
  'a name that begins like ours': { origin: 'http:FORM.evil.example' },
  'the origin of the shop': { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
  'the origin of the API': { origin: 'http:API', 'sec-fetch-site': 'same-origin' },
  'Origin: null': { origin: 'null' },
  'Origin: null, cross-site': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'Origin: null, same-origin': { origin: 'null', 'sec-fetch-site': 'same-origin' },
  'an empty Origin': { origin: '' },
}

/**
 * Headers of the form's own page. A page cannot lie about its origin: whatever the site of the API's host, the form's
 * origin is the form.
 */
const OWN: Record<string, Headers> = {
  'nothing, as a merchant’s test tool sends it': {},
  'Sec-Fetch-Mode alone, as the fetch of Node sends it': { 'sec-fetch-mode': 'cors' },
  'Sec-Fetch-Site: none': { 'sec-fetch-site': 'none' },
  'the form’s Origin': { origin: 'http:FORM' },
  'the form’s Origin, same-origin': { origin: 'http:FORM', 'sec-fetch-site': 'same-origin' },
  'the form’s Origin, same-site': { origin: 'http:FORM', 'sec-fetch-site': 'same-site' },
  'the form’s Origin, cross-site, as the API has another domain': {
    origin: 'http:FORM',
    'sec-fetch-site': 'cross-site',
  },
}

function headersOf(named: Headers): Headers {
  const here = (text: string) =>
    text
      .replace('http:FORM', service.formUrl)
      .replace(':FORM', service.formUrl.replace('http', ''))
      .replace('http:API', service.url)
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, here(value)]))
}

/** Asserts the refusal, in the envelope of the API or as a page. */
function assertForeign(door: string, response: Response): void {
  if (!isPage(door)) {
    assertRefused(response, 403, 'origin_not_allowed')
    return
  }
  equal(response.status, 403)
  match(response.headers.get('content-type') ?? '', /^text\/html/)
  match(String(response.body), /^<!doctype html>/)
}

for (const [door, knock] of Object.entries(DOORS)) {
  describe(`${door} from a page that is not the payment form`, () => {
    for (const [name, headers] of Object.entries(FOREIGN)) {
      test(`${name}: 403 origin_not_allowed, nothing sent, no attempt`, async () => {
        const token = await merchant.sessionToken()
        const before = (await service.simulator.rows()).length
        assertForeign(door, await knock(token, headersOf(headers)))
        equal((await service.simulator.rows()).length, before)
        const { session_status, attempt_count, customer_id } = (await merchant.details(token)).body.checkout_session
        deepEqual([session_status, attempt_count, customer_id], ['PENDING', 0, null])
      })
    }

    test('is refused before its body, its media type and its token are looked at', async () => {
      const base = isPage(door) ? service.formUrl : service.url
      const path = isPage(door) ? '/customer/checkout/' : '/api/checkout/'
      const end = isPage(door) ? '' : `/${door.split('/').at(-1)}`
      const headers = { origin: 'https://evil.example' }
      for (const [type, body] of [
        ['text/plain', '{'],
        ['application/json', '{'],
        ['application/json', 'x'.repeat(70_000)],
      ] as const) {
        assertForeign(door, await post(`${base}${path}${'f'.repeat(64)}${end}`, body, type, headers))
      }
    })
  })

  describe(`${door} from the payment form, or from no page`, () => {
    for (const [name, headers] of Object.entries(OWN)) {
      test(`${name}: allowed`, async () => {
        const { status } = await knock(await merchant.sessionToken(), headersOf(headers))
        // The page posts to itself, so any other site than its own cannot be true.
        equal(status, isPage(door) && /-site$/.test(headers['sec-fetch-site'] ?? '') ? 403 : 200)
      })
    }
  })
}
