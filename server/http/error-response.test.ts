import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { isDatabaseAway } from '../db/database-errors.ts'
import { ApiError } from '../lib/errors.ts'
import { toApiError } from './error-response.ts'
import { API_PATHS, familyOfPath } from './family.ts'
import { publicAccess, route } from './route.ts'
import { createServer } from './server.ts'

/** Returns what a caller reads when the handler of that path throws. */
async function responseTo(thrown: unknown, path = '/api/checkout/x') {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const fail = route({
    method: 'GET',
    path,
    family: familyOfPath(API_PATHS, path),
    access: publicAccess,
    handle: () => {
      throw thrown
    },
  })
  await using app = createServer({ routes: [fail], log, trustedProxies: [], formOrigin: 'https://form.example' })
  const response = await app.inject({ method: 'GET', url: path })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.json(),
    text: response.body,
    logged: lines.join(''),
  }
}

describe('A refusal is rendered in the envelope of its family (CHK-1, API-4)', () => {
  const refusal = new ApiError('validation_failed', {
    message: 'amount is required',
    errors: { amount: ['is required'] },
    extra: { charged: false },
  })

  test('checkout API: ok, message, code, errors, request_id', async () => {
    const { status, body, headers } = await responseTo(refusal)
    equal(status, 422)
    const { request_id, ...rest } = body
    deepEqual(rest, {
      ok: false,
      message: 'amount is required',
      code: 'validation_failed',
      errors: { amount: ['is required'] },
      charged: false,
    })
    equal(headers['request-id'], request_id)
    equal(headers['cache-control'], 'no-store')
  })

  test('merchant API: error with type, code, message, param, request_id', async () => {
    const { body, headers } = await responseTo(refusal, '/api/v1/products')
    const { type, code, message, param, request_id } = body.error
    deepEqual([type, code, message, param], ['validation_error', 'parameter_invalid', 'amount is required', 'amount'])
    equal(headers['request-id'], request_id)
  })

  test('a path that only begins with the same letters is not the merchant API', async () => {
    equal((await responseTo(refusal, '/api/v10/x')).body.ok, false)
  })
})

describe('An unforeseen error', () => {
  const defects = [
    new Error('select * from vault_card where business_id = $1'),
    new TypeError('Cannot read properties of undefined'),
    Object.assign(new Error('relation "x" does not exist'), { code: '42P01', detail: 'secret detail' }),
    new AggregateError([new Error('inner')], 'outer'),
  ]
  for (const defect of defects) {
    test(`responds with 500 and reveals nothing: ${defect.name} ${defect.message.slice(0, 20)}`, async () => {
      const { status, body, text, headers, logged } = await responseTo(defect)
      equal(status, 500)
      deepEqual(Object.keys(body), ['ok', 'message', 'code', 'request_id'])
      equal(body.code, 'internal_error')
      ok(!text.includes(defect.message) && !/ at |\.ts|node_modules|select|vault/.test(text))
      equal(headers['x-powered-by'], undefined)
      equal(headers.server, undefined)
      match(logged, new RegExp(body.request_id))
      ok(logged.includes(JSON.stringify(defect.message).slice(1, -1)), 'the operator can read what it was')
    })
  }

  test('also when no error was thrown', async () => {
    for (const thrown of ['text', 42, { a: 1 }]) equal((await responseTo(thrown)).status, 500)
  })
})

describe('A database that is away', () => {
  const away = [
    ...['57P01', '53300', '57014', '55P03', '40P01', 'ECONNREFUSED', 'ECONNRESET'].map((code) => ({
      code,
      message: '',
    })),
    ...['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'].map((message) => ({
      message,
    })),
    { message: 'Client has encountered a connection error and is not queryable' },
  ]
  for (const shape of away) {
    test(`responds with 503 with Retry-After: ${'code' in shape ? shape.code : shape.message}`, async () => {
      equal(isDatabaseAway(shape), true)
      const { status, body, headers } = await responseTo(Object.assign(new Error(shape.message), shape))
      equal(status, 503)
      equal(body.charged, false)
      ok(Number(headers['retry-after']) > 0)
    })
  }

  for (const code of ['23505', '22P02', '42601', '']) {
    test(`is not ${code || 'an error without a code'}`, () => equal(isDatabaseAway({ code, message: 'x' }), false))
  }

  test('is not a caller who hung up in the middle of the body', () => {
    const hungUp = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
    equal(toApiError(hungUp).code, 'malformed_request')
  })
})
