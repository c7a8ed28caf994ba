import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { CheckoutErrorResponse, ErrorResponse } from '../../contract/error-response.ts'
import { type ApiError, type ErrorCode, rowOf } from '../lib/errors.ts'
import type { CardNumberCode } from './text-fields.ts'

// Paths are grouped in families. A family decides how responses are labelled, how refusals are written, and how
// strictly card data is refused. A route names its family; a request that no route takes gets the family of its path.

export const MERCHANT_API_VERSION = 'v1.0'

/** What a refusal is written for: a request as far as it could be read. */
export interface RefusedRequest {
  /** The request id. */
  id: string
  /** Path and query; empty when they could not be read. */
  url: string
  headers: IncomingHttpHeaders
}

export interface Envelope {
  /** Headers in addition to those of the family and of the refusal. */
  headers?: Record<string, string>
  /** An object is sent as JSON, text unchanged. */
  body: object | string
}

export interface Family {
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>
  envelope(refusal: ApiError, request: RefusedRequest): Envelope
  cardDataRules: {
    /**
     * Code that refuses a card number in a text. A payer gets an ordinary field error; a server must not handle cards
     * at all.
     */
    textCode: CardNumberCode
    /** Whether parameters of the query may have names that mean card data. */
    queryNames: 'accepted' | 'refused'
  }
  /** Whether a server may send `Origin`. If not, `Origin` means that a page is calling. */
  mayNameOrigin: boolean
  /** Whether every response has rate limit headers, including refusals that come before any limit is counted. */
  alwaysLimited: boolean
  /** How the OpenAPI document prints its refusals; `null` for families without documented routes. */
  documented: DocumentedErrors | null
}

export interface DocumentedErrors {
  /** Prefix of the names of response components. */
  name: string
  schema: TSchema
  /** Returns the code as a response has it. */
  codeOf(code: ErrorCode): string
}

/** Paths that a merchant's server calls with an access token. */
export const CHECKOUT_API: Family = {
  headers: {},
  envelope: (refusal, { id }) => ({ body: checkoutBody(refusal, id) }),
  cardDataRules: { textCode: 'raw_card_data_not_supported', queryNames: 'accepted' },
  mayNameOrigin: true,
  alwaysLimited: false,
  documented: { name: 'Checkout', schema: CheckoutErrorResponse, codeOf: (code) => code },
}

/** Paths without a merchant's credential: for the payment form, browsers and probes. */
export const PUBLIC_PATHS: Family = {
  ...CHECKOUT_API,
  cardDataRules: { textCode: 'validation_failed', queryNames: 'accepted' },
}

/** Token paths. Their refusals also have the members and headers of RFC 6749. */
export const TOKEN_PATHS: Family = {
  ...CHECKOUT_API,
  envelope: (refusal, { id }) => ({
    headers: tokenHeaders(refusal),
    body: { ...checkoutBody(refusal, id), ...tokenMembers(refusal) },
  }),
  documented: { name: 'Token', schema: CheckoutErrorResponse, codeOf: (code) => code },
}

/** Paths that a merchant's server calls with a secret key. */
export const MERCHANT_API: Family = {
  headers: { 'api-version': MERCHANT_API_VERSION },
  envelope: (refusal, { id }) => ({ body: merchantBody(refusal, id) }),
  cardDataRules: { textCode: 'raw_card_data_not_supported', queryNames: 'refused' },
  mayNameOrigin: false,
  alwaysLimited: true,
  documented: { name: 'V1', schema: ErrorResponse, codeOf: (code) => rowOf(code).v1[1] },
}

/**
 * Paths that the pages of the dashboard call. The envelope is that of the merchant API, with further members for pages.
 */
export const DASHBOARD_API: Family = {
  headers: { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" },
  envelope: (refusal, { id }) => {
    const { error } = merchantBody(refusal, id)
    return { body: { error: { ...error, errors: refusal.detail.errors ?? {}, ...refusal.detail.extra } } }
  },
  cardDataRules: { textCode: 'validation_failed', queryNames: 'accepted' },
  mayNameOrigin: true,
  alwaysLimited: false,
  documented: null,
}

/** The family of the paths below a prefix. */
export interface PathFamily {
  prefix: string
  family: Family
}

/** The API host's paths: the first row that matches decides. */
export const API_PATHS: readonly PathFamily[] = [
  { prefix: '/api/v1', family: MERCHANT_API },
  { prefix: '/api/oauth', family: TOKEN_PATHS },
  { prefix: '', family: CHECKOUT_API },
]

/** Returns the family of a path that no route takes, or that was not looked up. */
export function familyOfPath(families: readonly PathFamily[], url: string): Family {
  const [path = ''] = url.split('?')
  const row = families.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
  return (row ?? families.at(-1))?.family ?? CHECKOUT_API
}

function checkoutBody({ code, detail }: ApiError, requestId: string) {
  return {
    ok: false,
    message: detail.message,
    code,
    ...(detail.errors && { errors: detail.errors }),
    ...detail.extra,
    request_id: requestId,
  }
}

/** Parts of a request that are not a single parameter. */
const WHOLE_PARTS: ReadonlySet<string> = new Set(['body', 'querystring'])

function merchantBody({ v1: [type, code], detail }: ApiError, requestId: string) {
  const [field] = Object.keys(detail.errors ?? {})
  const param = field === undefined || WHOLE_PARTS.has(field) ? null : field
  const { decline_code, doc_url } = detail.extra ?? {}
  const more = { ...(decline_code !== undefined && { decline_code }), ...(doc_url !== undefined && { doc_url }) }
  return { error: { type, code, message: detail.message, param, request_id: requestId, ...more } }
}

/** Codes of RFC 6749 5.2, and of its 4.1.2.1 for what 5.2 leaves open. Any other refusal is an `invalid_request`. */
const TOKEN_ERRORS: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'invalid_client',
  invalid_grant: 'invalid_grant',
  unsupported_grant_type: 'unsupported_grant_type',
  invalid_scope: 'invalid_scope',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** Returns the members of RFC 6749. A more precise `error` in the refusal takes precedence. */
function tokenMembers({ code, detail }: ApiError): Record<string, unknown> {
  const error = detail.extra?.error ?? TOKEN_ERRORS[code] ?? 'invalid_request'
  return { error, error_description: errorDescription(detail.message) }
}

/** Returns the older cache header that RFC 6749 5.1 requires, and the challenge of a 401. */
function tokenHeaders({ status }: ApiError): Record<string, string> {
  return { pragma: 'no-cache', ...(status === 401 && { 'www-authenticate': 'Basic realm="rialto"' }) }
}

/** Replaces what RFC 6749 does not allow: it allows printable ASCII without quotes and backslashes. */
function errorDescription(message: string): string {
  return message.replaceAll(/["’]/g, "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, ' ')
}
