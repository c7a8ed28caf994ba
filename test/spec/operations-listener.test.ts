import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openKillableService } from '../support/killable-service.ts'
import { send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

describe('the operations listener', () => {
  test('has the metrics, of the two other listeners too', async () => {
    await send(`${service.url}/api/checkout/${'0'.repeat(64)}`)
    await send(`${service.formUrl}/customer/checkout/${'0'.repeat(64)}`)
    const { status, headers, body } = await send(`${service.operationsUrl}/metrics`)
    equal(status, 200)
    match(headers.get('content-type') ?? '', /^text\/plain/)
    match(body, /rialto_http_request_seconds_count\{method="GET",path="\/api\/checkout\/\{token\}",status="404"\} 1/)
    match(
      body,
      /rialto_http_request_seconds_count\{method="GET",path="\/customer\/checkout\/\{token\}",status="404"\} 1/,
    )
  })

  test('no other listener has them', async () => {
    assertRefused(await send(`${service.url}/metrics`), 404, 'not_found')
    equal((await send(`${service.formUrl}/metrics`)).status, 404)
    const authorization = `Bearer ${service.demo.access_token}`
    for (const path of ['/metrics', '/metrics/', '/metrics?x', '/%6detrics', '//metrics', '/METRICS']) {
      equal((await send(service.url + path, { headers: { authorization } })).status, 404, path)
    }
  })

  test('has the two probes, and so has the API', async () => {
    for (const base of [service.url, service.operationsUrl]) {
      deepEqual((await send(`${base}/healthz`)).body, { ok: true })
      assertRefused(await send(`${base}/readyz`), 503, 'unavailable')
    }
  })

  test('has nothing else', async () => {
    const token = '0'.repeat(64)
    for (const path of [
      '/docs',
      '/openapi.json',
      '/api/v1/account',
      `/customer/checkout/${token}`,
      '/csp-report',
      '/',
    ]) {
      equal((await send(service.operationsUrl + path)).status, 404, path)
    }
  })

  test('refuses requests of pages: a browser that visits another site cannot be used to read it', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      const response = await send(`${service.operationsUrl}/metrics`, { headers })
      assertRefused(response, 403, 'origin_not_allowed')
      equal(response.headers.get('access-control-allow-origin'), null)
    }
    equal((await send(`${service.operationsUrl}/metrics`, { headers: { 'sec-fetch-site': 'none' } })).status, 200)
  })

  test('a started service has it where OPERATIONS_HOST and OPERATIONS_PORT say, and names it at the start', async () => {
    await using started = await openKillableService()
    equal((await send(`${started.operationsUrl}/readyz`)).status, 200)
    match((await send(`${started.operationsUrl}/metrics`)).body, /rialto_open_operations 0/)
    equal((await send(`${started.url}/metrics`)).status, 404)
    match(started.greeting(), new RegExp(`Operations +${started.operationsUrl}`))
  })
})
