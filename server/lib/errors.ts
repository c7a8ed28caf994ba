// Every refusal that the service can respond with, in one table. Code throws a refusal by its name; only
// server/http/family.ts knows the envelopes.

/**
 * Status of each code in every family. `v1` is the type and code in the merchant API; a code without it is never thrown
 * there.
 *
 * @see CHK-1, API-4
 */
const CATALOGUE = {
  session_expired: { status: 400 },
  session_completed: { status: 400 },
  session_cancelled: { status: 400 },
  session_failed: { status: 400 },
  payment_in_progress: { status: 400 },
  gateway_timeout: { status: 400 },
  gateway_unavailable: { status: 400 },
  three_ds_failed: { status: 400 },
  malformed_request: { status: 400, v1: ['invalid_request_error', 'malformed_request'] },
  unsupported_grant_type: { status: 400 },
  invalid_scope: { status: 400 },
  unauthenticated: { status: 401, v1: ['authentication_error', 'invalid_api_key'] },
  sign_in_failed: { status: 401, v1: ['authentication_error', 'sign_in_failed'] },
  signed_out: { status: 401, v1: ['authentication_error', 'signed_out'] },
  invalid_client: { status: 401 },
  invalid_grant: { status: 401 },
  card_declined: { status: 402, v1: ['card_error', 'card_declined'] },
  DDD_NOT_SUPPORTED: { status: 403 },
  ip_not_allowed: { status: 403, v1: ['permission_error', 'permission_denied'] },
  origin_not_allowed: { status: 403, v1: ['permission_error', 'permission_denied'] },
  permission_denied: { status: 403, v1: ['permission_error', 'permission_denied'] },
  second_factor_required: { status: 403, v1: ['permission_error', 'second_factor_required'] },
  step_up_required: { status: 403, v1: ['permission_error', 'step_up_required'] },
  contract_unsigned: { status: 403, v1: ['permission_error', 'contract_unsigned'] },
  not_found: { status: 404, v1: ['invalid_request_error', 'resource_missing'] },
  method_not_allowed: { status: 405, v1: ['invalid_request_error', 'method_not_allowed'] },
  three_ds_expired: { status: 408 },
  request_timeout: { status: 408, v1: ['invalid_request_error', 'request_timeout'] },
  conflict: { status: 409, v1: ['conflict_error', 'conflict'] },
  quote_stale: { status: 409, v1: ['conflict_error', 'quote_stale'] },
  idempotency_key_reused: { status: 409, v1: ['conflict_error', 'idempotency_key_reused'] },
  body_too_large: { status: 413, v1: ['invalid_request_error', 'body_too_large'] },
  unsupported_media_type: { status: 415, v1: ['invalid_request_error', 'unsupported_media_type'] },
  batch_failed: { status: 417 },
  validation_failed: { status: 422, v1: ['validation_error', 'parameter_invalid'] },
  raw_card_data_not_supported: { status: 422, v1: ['validation_error', 'raw_card_data_not_supported'] },
  origin_mismatch: { status: 422 },
  duplicate_card: { status: 422 },
  rate_limited: { status: 429, v1: ['rate_limit_error', 'rate_limit_exceeded'] },
  internal_error: { status: 500, v1: ['api_error', 'internal_error'] },
  three_ds_server_error: { status: 502 },
  google_pay_unavailable: { status: 502 },
  unavailable: { status: 503, v1: ['api_error', 'unavailable'] },
} as const satisfies Record<string, { status: number; v1?: readonly [type: string, code: string] }>

export type ErrorCode = keyof typeof CATALOGUE

/** Returns the row of a code, also for the OpenAPI document, which prints refusals without throwing them. */
export function rowOf(code: ErrorCode): { status: number; v1: readonly [type: string, code: string] } {
  const row = CATALOGUE[code]
  return { status: row.status, v1: 'v1' in row ? row.v1 : ['invalid_request_error', code] }
}

export interface ErrorDetail {
  /** Message for people: what is wrong and what would be right. */
  message: string
  /** Messages by field; nested fields are dotted: `line_items.0.total`. */
  errors?: Record<string, string[]>
  /** Further members of the checkout API's envelope: `status`, `cancel_url`, `charged`, … */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal that the caller can understand. Anything else that is thrown is a defect: 500. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, detail: ErrorDetail) {
    super(detail.message, { cause: detail.cause })
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return rowOf(this.code).status
  }

  /** Type and code in the merchant API. */
  get v1(): readonly [type: string, code: string] {
    return rowOf(this.code).v1
  }
}

/** First words of a text whose subject is the field. */
const PREDICATE = /^(?:must|is|are|has|does|cannot|was|needs|belongs|differs)\b/

/** Returns the refusal of one wrong field: `limit must be an integer`, or `customer: choose a customer`. */
export function invalidField(field: string, text: string): ApiError {
  const message = `${field}${PREDICATE.test(text) ? '' : ':'} ${text}`
  return new ApiError('validation_failed', { message, errors: { [field]: [text] } })
}
