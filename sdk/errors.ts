// One class for each `type` of the API's error envelope, so that callers can use `instanceof`.

/** The types of the API's error envelope, and those of this library. */
export type ErrorType =
  | 'authentication_error'
  | 'permission_error'
  | 'invalid_request_error'
  | 'validation_error'
  | 'card_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'connection_error'
  | 'webhook_error'

/** The codes known to this version. Newer ones pass through unchanged, hence the last line. */
export type ErrorCode =
  | 'invalid_api_key'
  | 'card_declined'
  | 'permission_denied'
  | 'contract_unsigned'
  | 'malformed_request'
  | 'resource_missing'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'conflict'
  | 'quote_stale'
  | 'idempotency_key_reused'
  | 'parameter_invalid'
  | 'raw_card_data_not_supported'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'unavailable'
  | LocalErrorCode
  | (string & {})

/** Codes of this library, which no response contains. */
type LocalErrorCode =
  | 'unreadable_response'
  | 'redirect_refused'
  | 'connection_failed'
  | 'timeout'
  | 'webhook_signature_invalid'
  | 'webhook_body_invalid'

export interface ErrorDetail {
  type: ErrorType
  code: ErrorCode
  message: string
  param?: string | null
  status?: number | null
  requestId?: string | null
  declineCode?: string | null
  docUrl?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** The base class of every error of this library. It never contains the API key. */
export class RialtoError extends Error {
  override readonly name: string = 'RialtoError'
  readonly type: ErrorType
  readonly code: ErrorCode
  /** The invalid field; nested fields are dotted: `recurring.interval_count`. */
  readonly param: string | null
  /** The HTTP status, or `null` when there was no response. */
  readonly status: number | null
  /** Id of the request; quote it to the operator in questions about the request. */
  readonly requestId: string | null
  /** Seconds to wait before the next request, from `Retry-After`; `null` when the response has none. */
  readonly retryAfter: number | null
  /** URL of a page about this error, if there is one. */
  readonly docUrl: string | null

  constructor(detail: ErrorDetail) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.type = detail.type
    this.code = detail.code
    this.param = detail.param ?? null
    this.status = detail.status ?? null
    this.requestId = detail.requestId ?? null
    this.retryAfter = detail.retryAfter ?? null
    this.docUrl = detail.docUrl ?? null
  }
}

/** 401: the key is missing, wrong, revoked, or belongs to the other environment. */
export class AuthenticationError extends RialtoError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key does not allow this, or not from this IP address. */
export class PermissionError extends RialtoError {
  override readonly name = 'PermissionError'
}

/** 400, 404, 405, 408, 413, 415: the request cannot be processed as it is. */
export class InvalidRequestError extends RialtoError {
  override readonly name: string = 'InvalidRequestError'
}

/** 404: the object does not exist in this business, or the path does not exist. */
export class NotFoundError extends InvalidRequestError {
  override readonly name = 'NotFoundError'
}

/** 422: a field is missing or wrong; `param` names it. */
export class ValidationError extends RialtoError {
  override readonly name = 'ValidationError'
}

/** 402: the card was declined. */
export class CardError extends RialtoError {
  override readonly name = 'CardError'
  /** The gateway's result code, such as `ND`. With `NC` the card must not be tried again. */
  readonly declineCode: string | null

  constructor(detail: ErrorDetail) {
    super(detail)
    this.declineCode = detail.declineCode ?? null
  }
}

/** 409: the object is in a state that does not allow this. */
export class ConflictError extends RialtoError {
  override readonly name = 'ConflictError'
}

/** 429: too many requests. Nothing was done; retry after `retryAfter` seconds. */
export class RateLimitError extends RialtoError {
  override readonly name = 'RateLimitError'
}

/** 5xx, an unknown type of error, or a response that did not come from the API, such as a proxy's HTML page. */
export class ApiError extends RialtoError {
  override readonly name = 'ApiError'
}

/**
 * There was no response. It is unknown whether a request that changes something was carried out: check before you
 * repeat it.
 */
export class ConnectionError extends RialtoError {
  override readonly name: string = 'ConnectionError'
}

/** There was no response within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** A webhook that was not signed with the secret within the last five minutes. Respond with 400. */
export class WebhookError extends RialtoError {
  override readonly name = 'WebhookError'
}
