import { deepEqual, equal, match } from 'node:assert/strict'
import type { Response } from './merchant.ts'
import { assertCommonHeaders } from './refusal.ts'

/** The types of API-4, by status. */
const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'card_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  409: 'conflict_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'validation_error',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
}

/**
 * Statuses of requests that rate limits count: a request from a browser page and an unreadable one are refused earlier.
 */
const COUNTED = new Set([200, 201, 401, 404, 405, 409, 413, 415, 422, 429])

/** Asserts the headers of every response of the merchant API (API-3). */
export function assertMerchantHeaders(response: Response): void {
  assertCommonHeaders(response)
  equal(response.headers.get('api-version'), 'v1.0')
  if (!COUNTED.has(response.status)) return
  for (const name of ['limit', 'remaining', 'reset'])
    match(response.headers.get(`ratelimit-${name}`) ?? '', /^\d+$/, name)
}

/**
 * Asserts the error envelope of the merchant API, and that it contains no internals of the server.
 *
 * @param param the named parameter; `null` if the error has none
 */
export function assertMerchantRefused(response: Response, status: number, code: string, param: string | null): void {
  assertEnvelope(response, status, code, param)
  assertMerchantHeaders(response)
}

/** Asserts the envelope for a URL that cannot be decoded, which is refused first. */
export function assertEnvelope(response: Response, status: number, code: string, param: string | null): void {
  const { error, ...more } = response.body ?? {}
  const { type, code: found, param: named, message, request_id, ...rest } = error ?? {}
  const text = JSON.stringify(response.body)
  deepEqual({ status: response.status, code: found, param: named }, { status, code, param }, text)
  equal(type, TYPES[status])
  deepEqual(more, {}, text)
  equal(request_id, response.headers.get('request-id'))
  match(message, /^\S.+\S$/)
  equal(/is not valid$/.test(message), false, text)
  const extra = Object.keys(rest).filter((name) => !['decline_code', 'doc_url'].includes(name))
  deepEqual(extra, [])
  equal(/\bat .*\.ts:|node_modules|select |insert /i.test(text), false, 'contains internals of the server')
}
