import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import type { Route } from '../../server/http/route.ts'
import { type Response, send } from '../support/merchant.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { assertEnvelope, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { exchange } from '../support/raw-http.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// API-6: which paths exist, and which do not.

const SPEC = `
| GET | /api/v1/account |
| POST | /api/v1/customers |
| GET | /api/v1/customers |
| GET | /api/v1/customers/{id} |
| PATCH | /api/v1/customers/{id} |
| GET | /api/v1/payment_methods |
| GET | /api/v1/customers/{id}/payment_methods |
| GET | /api/v1/payment_methods/{id} |
| DELETE | /api/v1/payment_methods/{id} |
| POST | /api/v1/products |
| GET | /api/v1/products |
| GET | /api/v1/products/{id} |
| PATCH | /api/v1/products/{id} |
| POST | /api/v1/prices |
| GET | /api/v1/prices |
| GET | /api/v1/prices/{id} |
| PATCH | /api/v1/prices/{id} |
| GET | /api/v1/test_clock |
| POST | /api/v1/test_clock/advance |
| POST | /api/v1/refunds |
| GET | /api/v1/refunds |
| GET | /api/v1/refunds/{id} |
| POST | /api/v1/voids |
| GET | /api/v1/batches |
| GET | /api/v1/batches/{id} |
| GET | /api/v1/batches/{id}/payments |
| POST | /api/v1/subscriptions |
| GET | /api/v1/subscriptions |
| GET | /api/v1/subscriptions/{id} |
| GET | /api/v1/subscriptions/{id}/payments |
| GET | /api/v1/subscriptions/{id}/payments/{payment} |
| DELETE | /api/v1/subscriptions/{id} |
| POST | /api/v1/subscriptions/{id} |
| POST | /api/v1/subscriptions/{id}/pause/preview |
| POST | /api/v1/subscriptions/{id}/pause |
| POST | /api/v1/subscriptions/{id}/pause-at-period-end/undo |
| POST | /api/v1/subscriptions/{id}/resume/preview |
| POST | /api/v1/subscriptions/{id}/resume |
| GET | /api/v1/events |
| GET | /api/v1/events/{id} |
| GET | /api/v1/events/{id}/deliveries |
| POST | /api/v1/events/{id}/redeliver |
| POST | /api/v1/webhook_endpoints |
| GET | /api/v1/webhook_endpoints |
| GET | /api/v1/webhook_endpoints/{id} |
| PATCH | /api/v1/webhook_endpoints/{id} |
| DELETE | /api/v1/webhook_endpoints/{id} |
| POST | /api/v1/webhook_endpoints/{id}/rotate_secret |
| POST | /api/v1/webhook_endpoints/{id}/test |
| POST | /api/v1/webhook_endpoints/{id}/redeliver |
`
/** Routes that only exist to refuse card data with their own code; everything else on them is 405. */
const REFUSING = ['POST /api/v1/payment_methods', 'POST /api/v1/customers/{id}/payment_methods']
/** Routes with a limit in addition to the limit of every path. */
const TWICE_LIMITED = ['POST /api/v1/subscriptions', 'POST /api/v1/refunds', 'POST /api/v1/voids']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

let service: TestService
let objects: MerchantObjects
let routes: Route[]
before(async () => {
  service = await openService()
  callInProcess(service)
  objects = await makeObjects(service)
  routes = merchantRoutesOf(service)
})
after(() => service.close())

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const authorized = () => ({ authorization: `Bearer ${service.demo.api_key}` })
const ask = (method: string, path: string, headers: Record<string, string> = authorized()): Promise<Response> =>
  send(service.url + path, { method, headers })

/** Sends the path byte by byte, because a client would normalize it. */
async function getRaw(target: string): Promise<Response> {
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.demo.api_key}`, '', '']
  const { status, headers, body } = await exchange(service.url, head.join('\r\n'))
  return { status, headers: new Headers(headers), body: JSON.parse(body) }
}

test('the paths are the documented ones, each of them once', () => {
  const listed = [...SPEC.matchAll(/\| (\w+) \| (\S+) \|/g)].map(([, method, path]) => `${method} ${path}`)
  deepEqual(routes.map(nameOf).sort(), [...listed, ...REFUSING].sort())
})

describe('Every path', () => {
  test('wants a secret key, and counts the calls of one', () => {
    for (const route of routes) {
      const limits = TWICE_LIMITED.includes(nameOf(route)) ? 2 : 1
      const { access, limits: counted, browsers } = route
      deepEqual([access.name, counted?.length, browsers], ['secret key', limits, undefined], nameOf(route))
    }
  })

  test('without a key, with half a key or with one of another environment: 401', async () => {
    const half = service.demo.api_key.slice(0, -1)
    for (const route of routes) {
      const headersOf = (key: string | null) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) })
      for (const key of [null, half, newApiKey('production'), newApiKey('staging'), service.demo.access_token]) {
        const response = await ask(route.method, pathTo(route, objects), headersOf(key))
        assertMerchantRefused(response, 401, 'invalid_api_key', null)
        match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
      }
    }
  })

  test('has no other methods than its own: 405, with those in Allow', async () => {
    for (const path of new Set(routes.map((route) => route.path))) {
      const own = routes.filter((route) => route.path === path)
      const [taken, allowed] = [own, own.filter(({ onlyRefuses }) => !onlyRefuses)].map((some) =>
        some.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [String(method)])),
      ) as [string[], string[]]
      for (const method of METHODS.filter((one) => !taken.includes(one))) {
        const { status, headers, body } = await ask(method, pathTo({ path }, objects))
        deepEqual([status, headers.get('api-version')], [405, 'v1.0'], `${method} ${path}`)
        deepEqual(headers.get('allow')?.split(', ').sort(), allowed.sort())
        equal(headers.get('access-control-allow-origin'), null)
        if (method !== 'HEAD') assertMerchantRefused({ status, headers, body }, 405, 'method_not_allowed', null)
      }
    }
  })

  test('is not another one by a header that names a method', async () => {
    const product = { headers: { ...authorized(), 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' } }
    equal((await send(`${service.url}/api/v1/payment_methods/${objects.payment_methods}`, product)).status, 200)
    equal((await ask('GET', `/api/v1/payment_methods/${objects.payment_methods}`)).body.status, 'active')
  })

  test('with a trailing slash, in capitals, with a second slash or with encoded letters: 404', async () => {
    for (const route of routes) {
      const path = pathTo(route, objects)
      const [tail = ''] = path.slice('/api/v1/'.length).split('/')
      for (const other of [
        `${path}/`,
        path.replace(tail, tail.toUpperCase()),
        path.replace('/v1/', '/v1//'),
        path.replace(tail, `%${tail.charCodeAt(0).toString(16)}${tail.slice(1)}`),
        `${path}%00`,
        `${path}%2f`,
        `${path};a=b`,
        `${path}.json`,
        `${path}/..`,
        path.replace('/v1/', '/v1/./'),
      ]) {
        assertMerchantRefused(await getRaw(other), 404, 'resource_missing', null)
      }
    }
  })
})

describe('An unknown path', () => {
  for (const path of ['', '/', '?a=b', '/nothing', '/customers/', '/account/x', '/customer', '/subscriptions/x/y/z']) {
    test(`/api/v1${path} is 404 in the envelope of the merchant API, also without a key`, async () => {
      assertMerchantRefused(await ask('GET', `/api/v1${path}`, {}), 404, 'resource_missing', null)
      assertMerchantRefused(await ask('POST', `/api/v1${path}`), 404, 'resource_missing', null)
    })
  }

  test('that cannot be decoded, or is longer than any: 404; a URL over 2 KiB: 400', async () => {
    for (const path of ['/%zz', '/%c0%af', '/customers/%', `/customers/${'f'.repeat(500)}`]) {
      assertEnvelope(await getRaw(`/api/v1${path}`), 404, 'resource_missing', null)
    }
    assertMerchantRefused(await getRaw(`/api/v1/account?${'x'.repeat(2_048)}`), 400, 'malformed_request', null)
  })

  test('beside /api/v1 is not of the merchant API, in any spelling', async () => {
    for (const path of ['/API/v1/account', '/api/V1/account', '/api//v1/account', '/api/%761/account', '/api/v10']) {
      const { status, body } = await getRaw(path)
      deepEqual([status, body.ok, body.code], [404, false, 'not_found'], path)
    }
  })
})

describe('A path with a malformed id is 404', () => {
  const ids = ['x', 'null', '0', '{id}', "'%20or%201=1--", '%00', 'f'.repeat(36), '..%2faccount', '💥']
  for (const id of ids) {
    test(id, async () => {
      for (const route of routes.filter(({ path }) => path.includes('{id}'))) {
        const path = route.path.replace('{id}', encodeURI(id).replaceAll('%25', '%'))
        assertMerchantRefused(await getRaw(path), 404, 'resource_missing', null)
      }
    })
  }

  test('also one of ours in braces, without dashes, or with more behind it; in capitals it is ours', async () => {
    const { customers: id } = objects
    equal((await getRaw(`/api/v1/customers/${id.toUpperCase()}`)).status, 200)
    for (const other of [`{${id}}`, id.replaceAll('-', ''), `${id}0`, `%7b${id}%7d`, ` ${id}`]) {
      const response = await getRaw(`/api/v1/customers/${encodeURI(other).replaceAll('%25', '%')}`)
      assertMerchantRefused(response, 404, 'resource_missing', null)
    }
  })
})

test('nothing failed inside', () => ok(!service.logged().includes('request failed')))
