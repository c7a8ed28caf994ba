import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf, send } from '../support/merchant.ts'
import { exchange } from '../support/raw-http.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let token: string
before(async () => {
  service = await openService()
  token = await merchantOf(service).sessionToken()
})
after(() => service.close())

/** Headers that differ between two responses. */
const CHANGING = new Set(['date', 'request-id', 'connection', 'keep-alive', 'ratelimit-remaining', 'ratelimit-reset'])

function compared(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => !CHANGING.has(name))
  // A page's style has a new nonce in every response.
  return Object.fromEntries(kept.map(([name, value]) => [name, value.replace(/nonce-[^']+/, 'nonce')]))
}

/** Every GET of the service. */
const urls = (): Record<string, string> => {
  const { app, demo } = service
  const gets = app.routes.filter(({ method }) => method === 'GET')
  return Object.fromEntries(
    gets.map(({ path }) => {
      const filled = path
        .replace('{business_id}', demo.business_id)
        .replace(/\{\w*token\}/, token)
        .replace(/\{\w+\}/g, demo.business_id)
      const isForm = /^\/(customer|assets|logos)\//.test(path)
      const base = path === '/metrics' ? service.operationsUrl : isForm ? service.formUrl : service.url
      return [path, base + filled]
    }),
  )
}

function credentialOf(path: string): Record<string, string> {
  const { access_token, api_key } = service.demo
  return { authorization: `Bearer ${path.startsWith('/api/v1') ? api_key : access_token}` }
}

describe('HEAD', () => {
  test('works wherever GET does, with its status and headers and without a body', async () => {
    for (const [path, url] of Object.entries(urls())) {
      // The figures of a process change all the time.
      if (path === '/metrics') continue
      const headers = credentialOf(path)
      const got = await send(url, { headers })
      const head = await send(url, { method: 'HEAD', headers })
      deepEqual([head.status, head.body], [got.status, ''], path)
      deepEqual(compared(head.headers), compared(got.headers), path)
    }
  })

  test('of /metrics is answered on its own listener', async () => {
    equal((await send(`${service.operationsUrl}/metrics`, { method: 'HEAD' })).status, 200)
  })

  test('is refused like GET: credential, unknown session, unknown path', async () => {
    const { business_id } = service.demo
    for (const [path, status] of [
      [`/api/${business_id}/checkout/${token}/details`, 401],
      ['/api/v1/account', 401],
      [`/api/checkout/${'0'.repeat(64)}`, 404],
      ['/nowhere', 404],
      ['/%zz', 404],
    ] as const) {
      const head = await send(service.url + path, { method: 'HEAD' })
      deepEqual([head.status, head.body], [status, ''], path)
    }
  })

  test('sends no byte after the head, so that the next response is where it belongs', async () => {
    const head = (method: string) => `${method} /customer/checkout/${token} HTTP/1.1\r\nHost: x\r\n\r\n`
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const { text } = await exchange(service.formUrl, head('HEAD') + last, { responses: 2, waitMs: 3_000 })
    const [first = '', second = ''] = text.split('\r\n\r\n')
    equal(first.startsWith('HTTP/1.1 200'), true)
    equal(second.startsWith('HTTP/1.1 404'), true, second.slice(0, 100))
  })

  test('is named by Allow where there is a GET, and is 405 where there is none', async () => {
    const { business_id } = service.demo
    const rows: [method: string, url: string, allow: string][] = [
      ['POST', `${service.url}/healthz`, 'GET, HEAD'],
      ['POST', `${service.operationsUrl}/metrics`, 'GET, HEAD'],
      ['PUT', `${service.url}/api/v1/customers`, 'GET, HEAD, POST'],
      ['PUT', `${service.formUrl}/customer/checkout/${token}`, 'GET, HEAD, POST'],
      ['HEAD', `${service.url}/api/oauth/token`, 'POST'],
      ['HEAD', `${service.url}/api/checkout/${token}/pay`, 'POST'],
      ['HEAD', `${service.url}/api/${business_id}/checkout/create`, 'POST'],
    ]
    for (const [method, url, allow] of rows) {
      const response = await send(url, { method })
      equal(response.status, 405, url)
      const named = response.headers.get('allow')?.split(', ').sort().join(', ')
      equal(named, allow, url)
    }
  })

  test('is in no printed document', async () => {
    const { body } = await send(`${service.url}/openapi.json`)
    const methods = new Set(Object.values<object>(body.paths).flatMap((path) => Object.keys(path)))
    equal(methods.has('head'), false)
  })
})
