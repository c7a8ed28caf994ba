import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// RFC 6749 5.2: every refusal below /api/oauth has `error` and `error_description`, in addition to the members of our
// envelope.

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

type Row = [status: number, code: string, error: string, init: RequestInit, path?: string]

const ROWS: Record<string, Row> = {
  'no body': [422, 'validation_failed', 'invalid_request', { method: 'POST', headers: JSON_TYPE }],
  'broken JSON': [422, 'validation_failed', 'invalid_request', { method: 'POST', headers: JSON_TYPE, body: '{' }],
  'a list': [422, 'validation_failed', 'invalid_request', { method: 'POST', headers: JSON_TYPE, body: '[]' }],
  'a form without fields': [
    422,
    'validation_failed',
    'invalid_request',
    { method: 'POST', headers: FORM_TYPE, body: 'a=b' },
  ],
  'another media type': [
    415,
    'unsupported_media_type',
    'invalid_request',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  ],
  'a compressed body': [
    415,
    'unsupported_media_type',
    'invalid_request',
    { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: 'x' },
  ],
  'a body over 64 KiB': [
    413,
    'body_too_large',
    'invalid_request',
    { method: 'POST', headers: JSON_TYPE, body: ' '.repeat(70_000) },
  ],
  'another method': [405, 'method_not_allowed', 'invalid_request', { method: 'GET' }],
  'a page': [
    403,
    'origin_not_allowed',
    'invalid_request',
    { method: 'POST', headers: { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }, body: '{}' },
  ],
  'a path below': [404, 'not_found', 'invalid_request', { method: 'POST', headers: JSON_TYPE, body: '{}' }, '/below'],
  'a path that cannot be decoded': [404, 'not_found', 'invalid_request', { method: 'POST' }, '/%zz'],
  'a doubled header': [400, 'malformed_request', 'invalid_request', { method: 'GET' }, `?${'x'.repeat(3_000)}`],
}

for (const path of ['/api/oauth/token', '/api/oauth/revoke']) {
  describe(`${path} refuses in both shapes`, () => {
    for (const [name, [status, code, error, init, below = '']] of Object.entries(ROWS)) {
      test(name, async () => {
        const response = await send(service.url + path + below, init)
        assertRefused(response, status, code)
        deepEqual([response.body.error, response.body.error_description], [error, response.body.message])
        // RFC 6749: printable ASCII, without quotes and backslashes.
        match(response.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
        equal(response.headers.get('pragma'), 'no-cache')
      })
    }

    test('too many requests', async () => {
      await using limited = await openService({ rateLimits: true })
      const again = () => send(limited.url + path, { method: 'POST', headers: JSON_TYPE, body: '{}' })
      let response = await again()
      for (let sent = 1; response.status !== 429 && sent < 40; sent++) response = await again()
      assertRefused(response, 429, 'rate_limited')
      deepEqual(
        [response.body.error, response.body.error_description],
        ['temporarily_unavailable', response.body.message],
      )
    })
  })
}

test('other paths have no such members', async () => {
  for (const path of ['/api/oauthx', '/nowhere', `/api/checkout/${'0'.repeat(64)}`]) {
    const { body } = await send(service.url + path)
    deepEqual([body.error, body.error_description], [undefined, undefined], path)
  }
})

test('a defect, and a database that is away', async () => {
  await using broken = await openService()
  await broken.app.services.db.destroy()
  const body = JSON.stringify({
    grant_type: 'refresh_token',
    refresh_token: 'rc_rt_x',
    client_id: broken.demo.client_id,
    client_secret: 'x',
  })
  const response = await send(`${broken.url}/api/oauth/token`, { method: 'POST', headers: JSON_TYPE, body })
  equal(response.status >= 500, true)
  match(response.body.error, /^(server_error|temporarily_unavailable)$/)
  equal(response.body.error_description, response.body.message)
})
