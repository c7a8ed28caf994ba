import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import { merchantOf, payBody, type Response, send } from '../support/merchant.ts'
import { exchange } from '../support/raw-http.ts'
import { makeKey } from '../support/secret-key.ts'
import { openService, type TestService } from '../support/service.ts'

// Every response of the merchant API contains the remaining rate; if several limits apply, the one closest to its end.

let service: TestService
before(async () => {
  service = await openService({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
})
after(() => service.close())

let addresses = 0
const nextAddress = () => `203.0.113.${++addresses}`

function rateOf({ headers }: Pick<Response, 'headers'>): [limit: number, remaining: number] {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(
    (name) => headers.get(`ratelimit-${name}`) ?? '',
  )
  for (const value of [limit, remaining, reset]) match(value ?? '', /^\d+$/)
  equal(Number(reset) >= 1 && Number(reset) <= 60, true, reset)
  return [Number(limit), Number(remaining)]
}

describe('Every response of the merchant API has the three headers', () => {
  const json = { 'content-type': 'application/json' }
  const cases: Record<
    string,
    { path: string; status: number; init?: RequestInit; key?: 'none' | 'wrong' | 'elsewhere' }
  > = {
    success: { path: '/account', status: 200 },
    'no key': { path: '/account', status: 401, key: 'none' },
    'a wrong key': { path: '/account', status: 401, key: 'wrong' },
    'an address that is not allowed': { path: '/account', status: 403, key: 'elsewhere' },
    'a page': { path: '/account', status: 403, init: { headers: { 'sec-fetch-site': 'cross-site' } } },
    'a page without a key': {
      path: '/account',
      status: 403,
      init: { headers: { origin: 'https://x.example' } },
      key: 'none',
    },
    'an unknown path': { path: '/nothing', status: 404 },
    'an unknown path without a key': { path: '/nothing', status: 404, key: 'none' },
    'the path of the API alone': { path: '', status: 404 },
    'a malformed id': { path: '/customers/x', status: 404 },
    'an overlong id': { path: `/customers/${'a'.repeat(300)}`, status: 404 },
    'an overlong URL': { path: `/${'a'.repeat(3_000)}`, status: 400 },
    'a path that cannot be decoded': { path: '/%zz', status: 404 },
    'a path that is not UTF-8': { path: '/customers/%ff', status: 404 },
    'an unknown object': { path: '/customers/01890000-0000-7000-8000-000000000000', status: 404 },
    'a wrong method': { path: '/account', status: 405, init: { method: 'DELETE' } },
    'a preflight': { path: '/account', status: 405, init: { method: 'OPTIONS' } },
    'a broken body': { path: '/customers', status: 422, init: { method: 'POST', headers: json, body: '{' } },
    'a wrong body': { path: '/customers', status: 422, init: { method: 'POST', headers: json, body: '[]' } },
    'another media type': {
      path: '/customers',
      status: 415,
      init: { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
    },
    'an overlong body': {
      path: '/customers',
      status: 413,
      init: { method: 'POST', headers: json, body: JSON.stringify({ name: 'x'.repeat(70_000) }) },
    },
    'a wrong query': { path: '/customers?limit=0', status: 422 },
  }
  for (const [name, { path, status, init, key }] of Object.entries(cases)) {
    test(`${name}: ${status}`, async () => {
      const { key: good } = await makeKey(service)
      const sent = key === 'wrong' ? newApiKey('staging') : good
      const headers = {
        ...(key !== 'none' && { authorization: `Bearer ${sent}` }),
        'x-forwarded-for': key === undefined ? '127.0.0.1' : nextAddress(),
        ...init?.headers,
      }
      const response = await send(`${service.url}/api/v1${path}`, { ...init, headers })
      equal(response.status, status, JSON.stringify(response.body))
      rateOf(response)
    })
  }

  test('a doubled header: 400', async () => {
    const head = [
      'GET /api/v1/account HTTP/1.1',
      'Host: localhost',
      'Authorization: Bearer a',
      'Authorization: Bearer b',
    ]
    const { text } = await exchange(service.url, `${head.join('\r\n')}\r\nConnection: close\r\n\r\n`)
    match(text, /^HTTP\/1.1 400 /)
    for (const name of ['limit', 'remaining', 'reset']) match(text, new RegExp(`ratelimit-${name}: \\d+`, 'i'))
  })
})

describe('Where several limits hold', () => {
  const pay = (token: string, from: string) =>
    send(`${service.url}/api/checkout/${token}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ ...payBody(), amount: 1 }),
    })

  test('a response describes the nearest limit, and a refusal the one that refused', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, () => merchantOf(service).sessionToken()))
    const [first = '', second = '', third = '', fourth = ''] = tokens
    const from = nextAddress()
    for (let n = 1; n <= 10; n++) deepEqual(rateOf(await pay(first, from)), [10, 10 - n])
    const refused = await pay(first, from)
    deepEqual([refused.status, rateOf(refused)], [429, [10, 0]])
    equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset'))
    for (let n = 1; n <= 10; n++) deepEqual(rateOf(await pay(second, from)), [10, 10 - n])
    // The address has used 20 of 30; refused requests are not counted.
    equal(rateOf(await pay(third, from))[1], 9)
    deepEqual(rateOf(await pay(fourth, from)), [30, 8])
    for (let n = 7; n >= 0; n--) deepEqual(rateOf(await pay(n % 2 ? third : fourth, from)), [30, n])
    const over = await pay(fourth, from)
    deepEqual([over.status, rateOf(over)], [429, [30, 0]])
  })
})
