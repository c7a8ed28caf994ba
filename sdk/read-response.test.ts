import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeFetch, refusal } from '../test/support/fake-fetch.ts'
import * as errors from './errors.ts'
import { readResponse } from './read-response.ts'

const CLASSES = [
  [401, 'authentication_error', 'invalid_api_key', errors.AuthenticationError],
  [402, 'card_error', 'card_declined', errors.CardError],
  [403, 'permission_error', 'permission_denied', errors.PermissionError],
  [404, 'invalid_request_error', 'resource_missing', errors.NotFoundError],
  [415, 'invalid_request_error', 'unsupported_media_type', errors.InvalidRequestError],
  [409, 'conflict_error', 'quote_stale', errors.ConflictError],
  [422, 'validation_error', 'parameter_invalid', errors.ValidationError],
  [429, 'rate_limit_error', 'rate_limit_exceeded', errors.RateLimitError],
  [500, 'api_error', 'internal_error', errors.ApiError],
] as const

async function errorOf(response: Parameters<typeof fakeFetch>[0]): Promise<errors.RialtoError> {
  const error = await fakeFetch(response)
    .fetch('https://api.example/', {})
    .then(readResponse)
    .catch((thrown) => thrown)
  ok(error instanceof errors.RialtoError)
  return error
}

describe('An error of the API', () => {
  for (const [status, type, code, Class] of CLASSES) {
    test(`${status} ${type} is a ${Class.name}`, async () => {
      const error = await errorOf(refusal(status, type, code, { param: 'items.0.price' }))

      equal(error.constructor, Class)
      equal(error.name, Class.name)
      const { message, param, requestId } = error
      deepEqual(
        { status: error.status, type: error.type, code: error.code, message, param, requestId },
        { status, type, code, message: `It is ${code}`, param: 'items.0.price', requestId: 'req-1' },
      )
    })
  }

  test('a NotFoundError is an InvalidRequestError too, by its type', async () => {
    const error = await errorOf(refusal(404, 'invalid_request_error', 'resource_missing'))

    ok(error instanceof errors.InvalidRequestError)
  })

  test('has the result code of a decline and the page about it', async () => {
    const more = { decline_code: 'NC', doc_url: 'https://docs.example/NC' }
    const error = await errorOf(refusal(402, 'card_error', 'card_declined', more))

    ok(error instanceof errors.CardError)
    equal(error.declineCode, 'NC')
    equal(error.docUrl, more.doc_url)
  })

  for (const type of ['teapot_error', 'constructor']) {
    test(`of the unknown type ${type} and an unknown code passes through as an ApiError`, async () => {
      const error = await errorOf(refusal(418, type, 'short_and_stout'))

      equal(error.constructor, errors.ApiError)
      deepEqual([error.type, error.code], [type, 'short_and_stout'])
    })
  }

  for (const [header, seconds] of [
    ['7', 7],
    [new Date(Date.now() + 30_000).toUTCString(), 30],
    [new Date(Date.now() - 30_000).toUTCString(), 0],
    ['soon', null],
  ] as const) {
    test(`has the seconds of Retry-After: ${header}`, async () => {
      const limited = refusal(429, 'rate_limit_error', 'rate_limit_exceeded')
      const { retryAfter } = await errorOf({ ...limited, headers: { 'retry-after': header } })

      if (seconds === null) equal(retryAfter, null)
      else ok(retryAfter !== null && Math.abs(retryAfter - seconds) <= 1, String(retryAfter))
    })
  }
})

describe('A response that is not the API’s', () => {
  for (const [name, status, body] of [
    ["a proxy's page", 502, '<html><h1>Bad Gateway</h1></html>'],
    ['a success that is a page', 200, '<html>Sign in to the guest network</html>'],
    ['half a JSON', 500, '{"error": {"type": "api_'],
    ['nothing', 503, ''],
    ['JSON of another make', 500, { message: 'Internal server error' }],
    ['JSON that is not an object', 500, null],
    ['an error that is a text', 400, { error: 'invalid_request' }],
  ] as const) {
    test(`${name} is an ApiError with its status, and its text is not repeated`, async () => {
      const error = await errorOf({ status, body, headers: { 'request-id': 'edge-7' } })

      equal(error.constructor, errors.ApiError)
      deepEqual(
        [error.type, error.code, error.status, error.requestId],
        ['api_error', 'unreadable_response', status, 'edge-7'],
      )
      equal(/Gateway|guest|Internal|invalid_request/.test(error.message), false)
    })
  }

  test('429 of a proxy is a RateLimitError', async () => {
    const error = await errorOf({ status: 429, body: 'slow down', headers: { 'retry-after': '9' } })

    deepEqual([error.constructor, error.code, error.retryAfter], [errors.RateLimitError, 'rate_limit_exceeded', 9])
  })

  test('a redirect that a browser hides is refused like one that is shown', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })

    await rejects(readResponse(hidden), { code: 'redirect_refused', status: 0 })
  })
})

describe('An endless response', () => {
  test('is not read on', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_000_000
        controller.enqueue(new Uint8Array(1_000_000))
      },
    })
    await rejects(readResponse(new Response(body)), { code: 'unreadable_response' })
    ok(sent < 40_000_000, `${sent} bytes`)
  })
})
