import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { exchange, type RawResponse } from '../../test/support/raw-http.ts'
import { openService, type TestService } from '../../test/support/service.ts'
import { TIMEOUTS } from '../lib/http-connections.ts'
import { API_PATHS, CHECKOUT_API, type Family, familyOfPath, MERCHANT_API, TOKEN_PATHS } from './family.ts'
import { publicAccess, route } from './route.ts'
import { createServer } from './server.ts'

describe('The family of a path', () => {
  const rows: [url: string, family: Family][] = [
    ['/api/v1', MERCHANT_API],
    ['/api/v1/products?limit=1', MERCHANT_API],
    ['/api/v1?limit=1', MERCHANT_API],
    ['/api/v1/nothing', MERCHANT_API],
    ['/api/v10/products', CHECKOUT_API],
    ['/api/oauth/token', TOKEN_PATHS],
    ['/api/oauth2', CHECKOUT_API],
    ['/api/checkout/x', CHECKOUT_API],
    ['/', CHECKOUT_API],
    ['/?/api/v1/', CHECKOUT_API],
    ['*', CHECKOUT_API],
    ['', CHECKOUT_API],
  ]
  for (const [url, family] of rows) {
    test(`${url || 'an empty path'}`, () => ok(familyOfPath(API_PATHS, url) === family))
  }
})

describe('A route and its path', () => {
  let service: TestService
  before(async () => {
    service = await openService()
  })
  after(() => service.close())

  test('have the same envelope, so an unknown path below a prefix is refused like a known one', () => {
    for (const { path, family } of service.app.routes.filter((one) => one.family.documented !== null)) {
      equal(family.documented?.name, familyOfPath(API_PATHS, path).documented?.name, path)
    }
  })

  test('refusals of the form host are pages, for unknown paths and unreadable requests too', async () => {
    const unknown = await exchange(service.formUrl, 'GET /nothing HTTP/1.1\r\nHost: x\r\nAccept-Language: fr\r\n\r\n')
    const oversized = await exchange(service.formUrl, `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)
    deepEqual([unknown.status, oversized.status], [404, 431])
    for (const { headers, body } of [unknown, oversized]) {
      match(headers['content-type'] ?? '', /^text\/html/)
      match(headers['content-security-policy'] ?? '', /default-src 'none'/)
      match(body, /^<!doctype html>/)
    }
    match(unknown.body, /lang="fr-CA"/)
  })
})

describe('A request that cannot be read is refused in the envelope of its path', () => {
  const timeouts = { ...TIMEOUTS, headersMs: 300, requestMs: 300, idleMs: 2_000, lookEveryMs: 50 }
  let app: FastifyInstance
  let url: string
  before(async () => {
    const fields = { family: MERCHANT_API, access: publicAccess, browsers: 'anywhere', method: 'POST' } as const
    const routes = [route({ ...fields, path: '/api/v1/products', handle: () => ({ body: { ok: true } }) })]
    const log = pino({ enabled: false })
    app = createServer({ routes, log, trustedProxies: [], formOrigin: 'https://form.example', timeouts })
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  })
  after(() => app.close())

  function assertMerchantEnvelope({ status, headers, body, text }: RawResponse, wanted: [number, string]): void {
    const { error } = JSON.parse(body)
    deepEqual([status, error?.code], wanted, text)
    deepEqual([headers['api-version'], headers['request-id']], ['v1.0', error.request_id])
  }

  test('headers that are too large', async () => {
    const large = `X: ${'x'.repeat(17_000)}\r\n\r\n`
    assertMerchantEnvelope(await exchange(url, `GET /api/v1/products HTTP/1.1\r\n${large}`), [431, 'malformed_request'])
    equal(JSON.parse((await exchange(url, `GET /api/v10 HTTP/1.1\r\n${large}`)).body).ok, false)
  })

  test('a body that does not arrive in time', async () => {
    const head =
      'POST /api/v1/products HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
    assertMerchantEnvelope(await exchange(url, head, { waitMs: 6_000 }), [408, 'request_timeout'])
  })

  test('a token path has the members of RFC 6749', async () => {
    const { body, headers } = await exchange(url, `GET /api/oauth/token HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`)
    deepEqual([JSON.parse(body).error, headers.pragma], ['invalid_request', 'no-cache'])
  })
})
