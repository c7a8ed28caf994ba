import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Route } from '../../server/http/route.ts'
import { openDatabaseProxy } from '../support/fault-proxy.ts'
import { type Response, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { makeKey } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// API-3 to API-6: which refusal comes first, and what every refusal contains.

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

/** A change of a customer that contains faults. */
interface Call {
  url: string
  path: string
  headers: Record<string, string>
  body: string
}
const asking = ({ url, path, headers, body }: Call) => send(url + path, { method: 'PATCH', headers, body })

describe('Of several errors, the first in this order is returned: path, page, key, address, rate, body, object, state', () => {
  let limited: TestService
  let keys: Record<'good' | 'foreign' | 'spent', string>
  let good: Call
  before(async () => {
    limited = await openService({ beside: service, rateLimits: true })
    const [foreign, spent] = [await makeKey(service, { allowedIps: ['192.0.2.1'] }), await makeKey(service)]
    keys = { good: service.demo.api_key, foreign: foreign.key, spent: spent.key }
    const api = merchantApiOf(limited, keys.spent)
    await Promise.all(Array.from({ length: 61 }, () => api.get('/account')))
    await merchantApiOf(service).made('/customers', { email: 'taken@example.com' })
    const { id } = await merchantApiOf(service).made('/customers', { name: 'Ana' })
    const headers = { authorization: `Bearer ${keys.good}`, 'content-type': 'application/json' }
    good = { url: service.url, path: `/api/v1/customers/${id}`, headers, body: '{}' }
  })
  after(() => limited.close())

  type Fault = { what: string; response: [status: number, code: string, param: string | null]; spoil(call: Call): Call }
  const withHeader = (call: Call, name: string, value: string) => ({
    ...call,
    headers: { ...call.headers, [name]: value },
  })
  const withKey = (call: Call, key: string) => withHeader(call, 'authorization', `Bearer ${key}`)
  const withMember = (call: Call, member: object) => ({
    ...call,
    body: JSON.stringify({ ...JSON.parse(call.body), ...member }),
  })
  const NOBODY = '/api/v1/customers/0199a3f1-0a28-7b21-9c04-000000000000'

  /** Faults in the order in which they are refused. */
  const FAULTS: Fault[] = [
    { what: 'path', response: [404, 'resource_missing', null], spoil: (call) => ({ ...call, path: `${call.path}/x` }) },
    {
      what: 'a page that asks',
      response: [403, 'permission_denied', null],
      spoil: (call) => withHeader(call, 'sec-fetch-site', 'cross-site'),
    },
    { what: 'key', response: [401, 'invalid_api_key', null], spoil: (call) => withKey(call, 'rc_sk_stg_nothing') },
    { what: 'address', response: [403, 'permission_denied', null], spoil: (call) => withKey(call, keys.foreign) },
    {
      what: 'rate',
      response: [429, 'rate_limit_exceeded', null],
      spoil: (call) => ({ ...withKey(call, keys.spent), url: limited.url }),
    },
    {
      what: 'media type',
      response: [415, 'unsupported_media_type', null],
      spoil: (call) => withHeader(call, 'content-type', 'application/x-www-form-urlencoded'),
    },
    {
      what: 'size',
      response: [413, 'body_too_large', null],
      spoil: (call) => ({ ...call, body: call.body + ' '.repeat(65_536) }),
    },
    {
      what: 'syntax',
      response: [422, 'parameter_invalid', null],
      spoil: (call) => ({ ...call, body: `${call.body}}` }),
    },
    {
      what: 'card data',
      response: [422, 'raw_card_data_not_supported', 'cvc'],
      spoil: (call) => withMember(call, { cvc: '1' }),
    },
    { what: 'schema', response: [422, 'parameter_invalid', 'name'], spoil: (call) => withMember(call, { name: 5 }) },
    { what: 'existence', response: [404, 'resource_missing', 'id'], spoil: (call) => ({ ...call, path: NOBODY }) },
    {
      what: 'state',
      response: [409, 'conflict', 'email'],
      spoil: (call) => withMember(call, { email: 'taken@example.com' }),
    },
  ]

  test('with nothing wrong it is answered', async () => equal((await asking(good)).status, 200))

  for (const [index, { what, response }] of FAULTS.entries()) {
    test(`${what}, alone and with everything that comes after it`, async () => {
      const [first, ...later] = FAULTS.slice(index) as [Fault, ...Fault[]]
      assertMerchantRefused(await asking(first.spoil(good)), ...response)
      const all = [...later].reverse().reduce((call, { spoil }) => spoil(call), good)
      assertMerchantRefused(await asking(first.spoil(all)), ...response)
      for (const one of later) assertMerchantRefused(await asking(first.spoil(one.spoil(good))), ...response)
    })
  }

  test('every response after the rate check has the rate, and a refusal also Retry-After', async () => {
    const { key } = await makeKey(service)
    const api = merchantApiOf(limited, key)
    const responses = [await api.get('/account'), await api.post('/products', '{'), await api.get(NOBODY.slice(7))]
    for (const [index, { headers }] of responses.entries()) {
      deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['60', `${59 - index}`])
      match(headers.get('ratelimit-reset') ?? '', /^\d+$/)
    }
    const refused = await merchantApiOf(limited, keys.spent).get('/account')
    const seconds = Number(refused.headers.get('retry-after'))
    ok(seconds > 0 && seconds <= 60)
  })
})

describe('A page in a browser', () => {
  for (const site of ['cross-site', 'same-site', 'same-origin']) {
    test(`of a ${site} is refused on every path, key or not, and may not read why`, async () => {
      const objects = await makeObjects(service)
      for (const route of merchantRoutesOf(service)) {
        for (const key of [service.demo.api_key, 'rc_sk_x']) {
          const headers = { origin: 'https://shop.example', 'sec-fetch-site': site, authorization: `Bearer ${key}` }
          const response = await send(service.url + pathTo(route, objects), { method: route.method, headers })
          assertMerchantRefused(response, 403, 'permission_denied', null)
          equal(response.headers.get('access-control-allow-origin'), null)
        }
      }
    })
  }

  test('that is too old for Sec-Fetch-Site is recognized by its Origin', async () => {
    const headers = { origin: 'https://shop.example', authorization: `Bearer ${service.demo.api_key}` }
    const response = await send(`${service.url}/api/v1/account`, { headers })
    assertMerchantRefused(response, 403, 'permission_denied', null)
  })

  test('that sends a preflight is refused', async () => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const response = await send(`${service.url}/api/v1/account`, { method: 'OPTIONS', headers })
    assertMerchantRefused(response, 405, 'method_not_allowed', null)
    const granted = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
    deepEqual(granted, [])
  })
})

describe('Request-Id and headers', () => {
  test('another one for each request, never the caller’s, and in the log', async () => {
    const headers = { authorization: `Bearer ${service.demo.api_key}`, 'request-id': 'mine', 'x-request-id': 'mine' }
    const [first, second] = [
      await send(`${service.url}/api/v1/account`, { headers }),
      await send(`${service.url}/api/v1/nothing`, { headers }),
    ]
    for (const response of [first, second] as Response[]) {
      assertMerchantHeaders(response)
      equal(response.headers.get('referrer-policy'), 'no-referrer')
      deepEqual([response.headers.get('server'), response.headers.get('x-powered-by')], [null, null])
      ok(service.logged().includes(response.headers.get('request-id') ?? '?'))
    }
    notEqual(first?.headers.get('request-id'), second?.headers.get('request-id'))
  })

  test('Idempotency-Key is ignored', async () => {
    const headers = {
      authorization: `Bearer ${service.demo.api_key}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-1',
    }
    const create = () => send(`${service.url}/api/v1/products`, { method: 'POST', headers, body: '{"name":"Gold"}' })
    const [first, second] = [await create(), await create()]
    deepEqual([first.status, second.status], [201, 201])
    notEqual(first.body.id, second.body.id)
  })
})

describe('What is not the caller’s fault', () => {
  /** Sends every request that reads or writes. */
  async function requestAll(of: TestService, objects: MerchantObjects): Promise<[Route, Response][]> {
    const { products: product, customers: customer, prices: price, payments: payment } = objects
    const pause = { mode: 'period_end', cancel_at_period_end: true }
    const resume = { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' }
    const endpoint = { url: 'https://shop.example/hooks', enabled_events: ['*'], since: 1 }
    const made = { product, unit_amount: 100, customer, price, payment, seconds: 1, ...pause, ...resume, ...endpoint }
    const headers = { authorization: `Bearer ${of.demo.api_key}` }
    const routes = merchantRoutesOf(of).filter(
      ({ method, path }) => method !== 'POST' || !path.endsWith('payment_methods'),
    )
    return Promise.all(
      routes.map(async (route): Promise<[Route, Response]> => {
        const body = JSON.stringify({ name: 'Ana', ...(route.method === 'POST' && made) })
        const withBody = { headers: { ...headers, 'content-type': 'application/json' }, body }
        const hasBody = route.method === 'POST' || route.method === 'PATCH'
        const init = { method: route.method, headers, ...(hasBody && withBody) }
        return [route, await send(of.url + pathTo(route, objects), init)]
      }),
    )
  }

  test('500 internal_error: nothing internal is revealed, and the operator finds it by the request_id', async () => {
    await using broken = await openService()
    const objects = await makeObjects(broken)
    for (const [{ method, path }, { status }] of await requestAll(broken, objects)) {
      // Concurrent changes and deletions may conflict.
      const isGone = status === 404 && /redeliver|webhook_endpoints/.test(path)
      equal([200, 201, 409].includes(status) || isGone, true, `${method} ${path}: ${status}`)
    }
    const lost = ['customer', 'stored_card', 'product', 'price', 'subscription', 'payment', 'business', 'event']
    await rename(broken, [...lost, 'webhook_endpoint'])
    for (const [, response] of await requestAll(broken, objects)) {
      assertMerchantRefused(response, 500, 'internal_error', null)
      equal(/relation|exist|customer|business/i.test(response.body.error.message), false)
      const line = broken
        .logged()
        .split('\n')
        .find((one) => one.includes(response.body.error.request_id))
      ok(line?.includes('does not exist'))
      ok(!line?.includes(broken.demo.api_key))
    }
  })

  test('503 unavailable while the database is away, and 200 again after', async () => {
    await using proxy = await openDatabaseProxy()
    await using away = await openService({ databaseRoute: proxy.route })
    const objects = await makeObjects(away)
    proxy.restart(60_000)
    for (const [, response] of await requestAll(away, objects)) {
      assertMerchantRefused(response, 503, 'unavailable', null)
      match(response.headers.get('retry-after') ?? '', /^\d+$/)
    }
    proxy.restart(0)
    await until('the account is answered', async () => (await merchantApiOf(away).get('/account')).status === 200)
    equal((await merchantApiOf(away).get(`/products/${objects.products}`)).status, 200)
  })
})

async function rename({ databaseUrl }: TestService, tables: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const table of tables) await client.query(`alter table ${table} rename to lost_${table}`)
  } finally {
    await client.end()
  }
}
