import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { disallowIp } from '../../server/access/shared/allowed-ip.ts'
import { type Merchant, merchantOf, payBody, payerOf, type Response, SESSION, send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-1, SEC-5: every refusal has the same envelope.

let service: TestService
let merchant: Merchant
let token: string
before(async () => {
  service = await openService()
  merchant = merchantOf(service)
  token = await merchant.sessionToken()
})
after(() => service.close())

const path = (rest: string) => `${service.url}/api/${service.demo.business_id}${rest}`
const bearer = () => ({ authorization: `Bearer ${service.demo.access_token}` })
const JSON_TYPE = { 'content-type': 'application/json' }
const post = (url: string, body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  send(url, { method: 'POST', body, headers: { ...bearer(), ...headers } })
const create = (body: BodyInit, headers?: Record<string, string>) => post(path('/checkout/create'), body, headers)

describe('401 unauthenticated, with a challenge', () => {
  for (const [name, headers] of Object.entries({
    missing: {},
    invalid: { authorization: 'Bearer nothing' },
    'of another kind': { authorization: 'Basic YTpi' },
  })) {
    test(`a token that is ${name}`, async () => {
      for (const [method, rest] of [
        ['POST', '/checkout/create'],
        ['GET', `/checkout/${token}/details`],
        ['POST', `/checkout/${token}/cancel`],
      ] as const) {
        const response = await send(path(rest), { method, headers: headers as Record<string, string> })
        assertRefused(response, 401, 'unauthenticated')
        equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
      }
    })
  }
})

describe('403', () => {
  test('ip_not_allowed: an address that is not on the list', async () => {
    const other = await secondMerchant(service)
    const { db, clock } = service.app.services
    const context = { db, clock, environment: 'staging' as const }
    await disallowIp(context, { businessId: other.demo.business_id, address: '127.0.0.1' })
    assertRefused(await other.createSession(), 403, 'ip_not_allowed')
  })

  test('origin_not_allowed: a browser on a server-only path, before any credential', async () => {
    const response = await send(path(`/checkout/${token}/details`), { headers: { 'sec-fetch-site': 'cross-site' } })
    assertRefused(response, 403, 'origin_not_allowed')
  })
})

describe('404 not_found', () => {
  const unknown = [
    '/',
    '/api',
    '/api/',
    '/api/checkout',
    '/api/checkout/',
    '/api/nothing',
    '/favicon.ico',
    '/.env',
    '/api/checkout/%zz',
    '/api/checkout/..%2f..%2fetc%2fpasswd',
    `/api/checkout/${'f'.repeat(64)}/nothing`,
    `/api/checkout/${'f'.repeat(64)}/`,
    `/api/checkout/${'f'.repeat(500)}`,
    '/API/checkout/abc',
  ]
  for (const url of unknown) {
    test(`GET ${url.slice(0, 50)}`, async () => assertRefused(await send(`${service.url}${url}`), 404, 'not_found'))
  }

  test('a business that is not the token’s, that does not exist, or that is not a UUID', async () => {
    const other = await secondMerchant(service)
    for (const business of [other.demo.business_id, '0197f9b0-0000-7000-8000-000000000000', 'me']) {
      const response = await post(`${service.url}/api/${business}/checkout/create`, JSON.stringify(SESSION))
      assertRefused(response, 404, 'not_found')
    }
  })
})

describe('405 method_not_allowed, with Allow', () => {
  const cases: [method: string, rest: () => string, allowed: string][] = [
    ['GET', () => path('/checkout/create'), 'POST'],
    ['PUT', () => path('/checkout/create'), 'POST'],
    ['DELETE', () => path(`/checkout/${token}/details`), 'GET, HEAD'],
    ['POST', () => path(`/checkout/${token}/details`), 'GET, HEAD'],
    ['GET', () => path(`/checkout/${token}/cancel`), 'POST'],
    ['POST', () => `${service.url}/api/checkout/${token}`, 'GET, HEAD'],
    ['PATCH', () => `${service.url}/api/checkout/${token}/data`, 'GET, HEAD'],
    ['GET', () => `${service.url}/api/checkout/${token}/pay`, 'POST'],
    ['GET', () => `${service.url}/api/checkout/${token}/customer`, 'POST'],
    ['GET', () => `${service.url}/api/oauth/token`, 'POST'],
  ]
  for (const [method, url, allowed] of cases) {
    test(`${method}, where ${allowed} is meant`, async () => {
      const response = await send(url(), { method })
      assertRefused(response, 405, 'method_not_allowed')
      equal(response.headers.get('allow'), allowed)
    })
  }
})

describe('413 body_too_large', () => {
  const sized = (bytes: number) => {
    const body = JSON.stringify({ ...SESSION, filler: '' })
    return body.replace('"filler":""', `"filler":"${'x'.repeat(bytes - body.length)}"`)
  }

  test('64 KiB are taken, a byte more is not', async () => {
    equal((await create(sized(65_536))).status, 200)
    assertRefused(await create(sized(65_537)), 413, 'body_too_large')
  })

  test('a pay body over 64 KiB is refused too', async () => {
    const body = { ...payBody(), filler: 'x'.repeat(70_000) }
    assertRefused(await payerOf(service).pay(token, body), 413, 'body_too_large')
  })
})

describe('415 unsupported_media_type', () => {
  const body = JSON.stringify(SESSION)
  const types = [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
  ]
  for (const type of types) {
    test(type, async () => assertRefused(await create(body, { 'content-type': type }), 415, 'unsupported_media_type'))
  }

  test('a form, on the path that takes cards as JSON', async () => {
    const url = `${service.url}/api/checkout/${token}/pay`
    const response = await post(url, new URLSearchParams({ cardnumber: '4242' }), {})
    assertRefused(response, 415, 'unsupported_media_type')
  })

  test('no type at all', async () => {
    const response = await create(new TextEncoder().encode(body), {})
    assertRefused(response, 415, 'unsupported_media_type')
  })

  test('a compressed body', async () => {
    assertRefused(await create(body, { ...JSON_TYPE, 'content-encoding': 'gzip' }), 415, 'unsupported_media_type')
  })

  for (const type of ['application/json', 'Application/JSON', 'application/json;charset=UTF-8']) {
    test(`${type} is taken`, async () => equal((await create(body, { 'content-type': type })).status, 200))
  }
})

describe('422 validation_failed: a body that is not a JSON object', () => {
  const bodies = [
    '',
    ' ',
    'null',
    '1',
    '"text"',
    '[1]',
    '[{}]',
    '{',
    '{}}',
    '{"a":1,}',
    "{'a':1}",
    'ana',
    '\ufeff\ufeff{}',
  ]
  for (const body of bodies) {
    test(JSON.stringify(body), async () => assertRefused(await create(body), 422, 'validation_failed', ['body']))
  }

  test('the same key twice: two readers could see two amounts', async () => {
    const body = JSON.stringify(SESSION).replace('{', '{"amount_total":1,')
    assertRefused(await create(body), 422, 'validation_failed', ['body'])
  })

  test('a key that reaches a prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const body = JSON.stringify(SESSION).replace('{', `{"${key}":{"a":1},`)
      assertRefused(await create(body), 422, 'validation_failed', ['body'])
    }
  })

  test('nested deeper than 20 levels', async () => {
    const body = JSON.stringify(SESSION).replace('{', `{"deep":${'['.repeat(30)}${']'.repeat(30)},`)
    assertRefused(await create(body), 422, 'validation_failed', ['body'])
  })

  test('bytes that are not UTF-8', async () => {
    const body = Buffer.from(JSON.stringify({ ...SESSION, description: '?' }))
    body[body.indexOf('"?"') + 1] = 0xff
    assertRefused(await create(body), 422, 'validation_failed', ['body'])
  })
})

describe('order of checks: path, credential, rate, body syntax, body schema, existence, state', () => {
  test('an unknown path comes before a missing token', async () => {
    assertRefused(await send(path('/nothing')), 404, 'not_found')
  })

  test('a missing token comes before a wrong body', async () => {
    const response = await send(path('/checkout/create'), { method: 'POST', body: '{', headers: JSON_TYPE })
    assertRefused(response, 401, 'unauthenticated')
  })

  test('a wrong body comes before an unknown session, and before a closed one', async () => {
    const closed = await merchant.sessionToken()
    await merchant.cancel(closed)
    for (const session of ['f'.repeat(64), closed]) {
      assertRefused(await payerOf(service).pay(session, '{'), 422, 'validation_failed', ['body'])
      const body = payBody(undefined, { cvv: undefined })
      assertRefused(await payerOf(service).pay(session, body), 422, 'validation_failed', ['cardData.cvv'])
    }
  })
})

describe('Request-Id', () => {
  test('is another one for each request, and never the caller’s', async () => {
    const headers = { ...bearer(), 'request-id': 'mine', 'x-request-id': 'mine' }
    const ids = await Promise.all(
      [1, 2, 3].map(async () =>
        (await send(path(`/checkout/${token}/details`), { headers })).headers.get('request-id'),
      ),
    )
    equal(new Set(ids).size, 3)
    notEqual(ids[0], 'mine')
  })

  test('is in the log, so that an operator finds what is quoted', async () => {
    const { body } = await send(path('/nothing'))
    equal(service.logged().includes(body.request_id), true)
  })

  const broken: Record<string, string> = {
    'a request that is not HTTP': 'hello\r\n\r\n',
    'no Host header': 'GET /healthz HTTP/1.1\r\n\r\n',
    'two Content-Length': 'POST /api/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'length and chunks': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'too large a header': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'an absolute target': 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'two Host headers': 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  }
  for (const [name, bytes] of Object.entries(broken)) {
    test(`is on the response to ${name}`, async () => {
      const response = await exchange(bytes)
      deepEqual([response.status >= 400 && response.status < 500, response.body.ok], [true, false])
      match(response.body.code, /^(malformed_request|not_found)$/)
      match(response.body.message, /\S/)
      match(response.headers.get('request-id') ?? '', /^[0-9a-f-]{36}$/)
      equal(response.body.request_id, response.headers.get('request-id'))
      equal(response.headers.get('cache-control'), 'no-store')
    })
  }
})

/** Sends one request as raw bytes, and returns the response until the server closes the connection. */
async function exchange(bytes: string): Promise<Response> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.setTimeout(10_000, () => socket.destroy(new Error('No response')))
  socket.end(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/:\s*/, 2) as [string, string]))
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body) }
}
