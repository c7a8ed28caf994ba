import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf, SESSION, send } from '../support/merchant.ts'
import { movableClock } from '../support/movable-clock.ts'
import { assertRefused } from '../support/refusal.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// ACC-21 to ACC-23, CAS-67. The demo client is registered with https://shop.example.

const ORIGIN = 'https://shop.example'
const MODAL = { amount_total: 25.5, customer_email: 'ana@example.com' }

const clock = movableClock()
let service: TestService
let merchant: Merchant
let other: SecondMerchant
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  merchant = merchantOf(service)
  other = await secondMerchant(service)
})
after(() => service.close())

async function tokenOf(input: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await merchant.post('/browser-tokens', { origin: ORIGIN, ...input })
  equal(status, 200, JSON.stringify(body))
  return body.browser_token
}

/** Sends what the browser of a merchant's page sends. */
function fromPage(token: string, path: string, body: object, origin: string | null = ORIGIN) {
  return send(`${service.url}/api/${service.demo.business_id}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      ...(origin && { origin }),
    },
    body: JSON.stringify(body),
  })
}

const CREATES: [path: string, body: typeof MODAL][] = [
  ['/checkout/create', SESSION],
  ['/rapid-checkout/create', MODAL],
]

describe('making one', () => {
  test('it returns the token once, and when it ends: in 900 seconds by default', async () => {
    const { body } = await merchant.post('/browser-tokens', { origin: ORIGIN })
    match(body.browser_token, /^rc_bt_[\w-]{40,}$/)
    const seconds = (Date.parse(body.expires_at) - clock.now().getTime()) / 1000
    equal(seconds > 890 && seconds <= 900, true, `${seconds}`)
    equal(service.logged().includes(body.browser_token), false)
  })

  for (const [field, input] of [
    ['origin', { origin: 'https://evil.example' }],
    ['origin', { origin: `${ORIGIN}/path` }],
    ['origin', { origin: undefined }],
    ['ttl_seconds', { ttl_seconds: 59 }],
    ['ttl_seconds', { ttl_seconds: 901 }],
    ['max_uses', { max_uses: 0 }],
    ['max_uses', { max_uses: 21 }],
    ['max_amount', { max_amount: 0 }],
    ['max_amount', { max_amount: 1.005 }],
  ] as const)
    test(`${JSON.stringify(input)} is refused`, async () => {
      assertRefused(await merchant.post('/browser-tokens', { origin: ORIGIN, ...input }), 422, 'validation_failed', [
        field,
      ])
    })
})

describe('using one', () => {
  for (const [path, body] of CREATES) {
    test(`${path} makes a session from the page it was made for, and the page may read the response`, async () => {
      const response = await fromPage(await tokenOf(), path, body)
      equal(response.status, 200, JSON.stringify(response.body))
      equal(response.headers.get('access-control-allow-origin'), ORIGIN)
      const { checkout_session } = (await merchant.details(response.body.checkout_session.token)).body
      equal(checkout_session.session_status, 'PENDING')
    })

    for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example:8443', 'null', null])
      test(`${path} from ${origin ?? 'no page'} is refused, and that use is not counted`, async () => {
        const token = await tokenOf()
        const refused = await fromPage(token, path, body, origin)
        assertRefused(refused, 422, 'origin_mismatch', ['origin'])
        equal(refused.headers.get('access-control-allow-origin'), null)
        equal((await fromPage(token, path, body)).status, 200)
      })

    test(`${path}: an access token with an Origin is warned of in a header, a browser token and a server are not`, async () => {
      const warned = await fromPage(service.demo.access_token, path, body)
      equal(warned.status, 200, JSON.stringify(warned.body))
      match(warned.headers.get('warning') ?? '', /^299 - "access token with an Origin: .*browser token"$/)
      for (const [token, origin] of [
        [await tokenOf(), ORIGIN],
        [service.demo.access_token, null],
      ] as const)
        equal((await fromPage(token, path, body, origin)).headers.get('warning'), null)
    })

    test(`${path}: a second use of a token with one use is 401`, async () => {
      const token = await tokenOf()
      equal((await fromPage(token, path, body)).status, 200)
      assertRefused(await fromPage(token, path, body), 401, 'unauthenticated')
    })

    test(`${path}: up to max_amount, and a cent more is refused and not counted`, async () => {
      const token = await tokenOf({ max_amount: 25.5 })
      const more = await fromPage(token, path, { ...body, amount_total: 25.51 })
      assertRefused(more, 422, 'validation_failed', ['amount_total'])
      equal((await fromPage(token, path, body)).status, 200)
    })
  }

  test('max_uses counts sessions, not tries', async () => {
    const token = await tokenOf({ max_uses: 2 })
    const tries = [
      { ...SESSION, amount_total: -1 },
      SESSION,
      { ...SESSION, customer_email: undefined, customer_id: service.demo.business_id },
      { ...SESSION, success_url: 'https://evil.example' },
      SESSION,
      SESSION,
    ]
    const statuses: number[] = []
    for (const body of tries) statuses.push((await fromPage(token, '/checkout/create', body)).status)
    deepEqual(statuses, [422, 200, 422, 422, 200, 401])
  })

  test('fifty uses at once of a token with one use make one session', async () => {
    const token = await tokenOf({ max_uses: 1 })
    const email = 'fifty@example.com'
    const uses = Array.from({ length: 50 }, () =>
      fromPage(token, '/checkout/create', { ...SESSION, customer_email: email }),
    )
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 401).length],
      [1, 49],
    )
    const { body } = await merchant.get(`/checkout-sessions?customer=${email}`)
    equal(body.checkout_sessions.total, 1)
  })

  test('it ends when it was said to end', async () => {
    const token = await tokenOf({ ttl_seconds: 60, max_uses: 2 })
    clock.advance(58)
    equal((await fromPage(token, '/checkout/create', SESSION)).status, 200)
    clock.advance(3)
    assertRefused(await fromPage(token, '/checkout/create', SESSION), 401, 'unauthenticated')
  })

  test('an unknown one, and one of another business, are refused', async () => {
    assertRefused(await fromPage(`rc_bt_${'a'.repeat(43)}`, '/checkout/create', SESSION), 401, 'unauthenticated')
    const { body } = await other.post('/browser-tokens', { origin: 'https://other.example' })
    assertRefused(
      await fromPage(body.browser_token, '/checkout/create', SESSION, 'https://other.example'),
      404,
      'not_found',
    )
  })
})

test('it opens nothing else: not the list, details, cancel, a sale or more tokens', async () => {
  const token = await tokenOf({ max_uses: 20 })
  const session = await merchant.sessionToken()
  const authorization = `Bearer ${token}`
  const call = (method: string, path: string, body?: object) =>
    send(`${service.url}/api/${service.demo.business_id}${path}`, {
      method,
      headers: { authorization, origin: ORIGIN, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const responses = await Promise.all([
    call('GET', '/checkout-sessions'),
    call('GET', `/checkout/${session}/details`),
    call('POST', `/checkout/${session}/cancel`, {}),
    call('POST', '/browser-tokens', { origin: ORIGIN }),
    call('POST', `/customer/${service.demo.business_id}/sale`, { amount: 1, cardId: service.demo.business_id }),
  ])
  for (const response of responses) assertRefused(response, 401, 'unauthenticated')
})

describe('what a browser asks beforehand', () => {
  const preflight = (path: string, origin: string) =>
    send(`${service.url}/api/${service.demo.business_id}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })

  for (const [path] of CREATES)
    test(`${path} is answered to pages of the client alone`, async () => {
      const allowed = await preflight(path, ORIGIN)
      equal(allowed.status, 204)
      equal(allowed.headers.get('access-control-allow-origin'), ORIGIN)
      equal(allowed.headers.get('access-control-allow-headers'), 'authorization, content-type')
      equal(allowed.headers.get('access-control-allow-credentials'), null)
      match(allowed.headers.get('vary') ?? '', /origin/i)
      for (const origin of ['https://evil.example', 'https://other.example', 'null'])
        equal((await preflight(path, origin)).headers.get('access-control-allow-origin'), null, origin)
    })

  test('a preflight of a server path is not allowed', async () => {
    for (const path of ['/checkout-sessions', '/browser-tokens', `/checkout/${'a'.repeat(64)}/details`])
      equal((await preflight(path, ORIGIN)).headers.get('access-control-allow-origin'), null, path)
  })
})
