import { equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { FakeResponse } from '../test/support/fake-fetch.ts'
import { refusal } from '../test/support/fake-fetch.ts'
import { BASE, clientOf, KEY, RESET } from '../test/support/sdk-client.ts'
import { Rialto } from './rialto.ts'

describe('Options', () => {
  for (const baseUrl of ['http://api.example', 'http://10.0.0.1', 'http://localhost.example', 'ftp://localhost']) {
    test(`${baseUrl} is refused: the key would be readable on the network`, () => {
      throws(() => new Rialto({ apiKey: KEY, baseUrl }), /baseUrl: use https/)
    })
  }

  for (const baseUrl of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000', 'http://a.localhost']) {
    test(`${baseUrl} is this machine and may be plain`, () => {
      ok(new Rialto({ apiKey: KEY, baseUrl }))
    })
  }

  for (const [name, options] of [
    ['apiKey', { apiKey: undefined }],
    ['apiKey', { apiKey: 'rc_at_token' }],
    ['apiKey', { apiKey: `${KEY}\n` }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: 'api.example' }],
    ['baseUrl', { baseUrl: 'https://user:secret@api.example' }],
    ['baseUrl', { baseUrl: 'https://api.example/?a=1' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 1.5 }],
  ] as const) {
    test(`${inspect(options)}: the error names ${name} and does not repeat what is secret`, () => {
      throws(
        () => new Rialto({ apiKey: KEY, baseUrl: BASE, ...options }),
        (error: TypeError) => {
          equal(error.constructor, TypeError)
          return error.message.startsWith(`${name}: `) && !/secret@|rc_at_token|0123456789/.test(error.message)
        },
      )
    })
  }
})

describe('The key', () => {
  test('is not in a printed client', () => {
    const { rialto } = clientOf([{}])

    const printed = [inspect(rialto, { depth: 9, showHidden: true }), JSON.stringify(rialto), String(rialto)].join()

    equal(printed.includes(KEY), false)
  })

  for (const [name, response] of [
    ['a refusal', refusal(401, 'authentication_error', 'invalid_api_key')],
    ['a page that repeats the request', { status: 502, body: `<pre>authorization: Bearer ${KEY}</pre>` }],
    ['a success that repeats the request', { status: 200, body: `<pre>authorization: Bearer ${KEY}</pre>` }],
    ['a redirect', { status: 307, headers: { location: `https://other.example/?${KEY}` } }],
    ['a lost connection', RESET],
    ['silence', 'silence'],
  ] as const satisfies [string, FakeResponse][]) {
    test(`is not in the error of ${name}`, async () => {
      const { rialto } = clientOf([response], { maxRetries: 0, timeoutMs: 10 })

      const error = await rialto.account.retrieve().catch((thrown: unknown) => thrown)

      ok(error instanceof Error)
      equal(inspect(error, { depth: 9, showHidden: true }).includes(KEY), false)
      equal(JSON.stringify(error).includes(KEY), false)
    })
  }
})
