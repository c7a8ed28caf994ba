import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionLost, isDatabaseAway } from '../db/database-errors.ts'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import type { Family } from './family.ts'

/** Errors that Fastify throws by itself. */
const FASTIFY_ERRORS: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', message: 'The body is larger than allowed here' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Send application/json in UTF-8' },
  FST_ERR_CTP_EMPTY_TYPE: { code: 'unsupported_media_type', message: 'Send application/json in UTF-8' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed_request', message: 'Content-Length does not match the body' },
  FST_ERR_BAD_URL: { code: 'not_found', message: 'No such path' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: 'No such path' },
}

/** Converts any thrown value to a refusal: `internal_error` for an unforeseen one. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code = '', statusCode } = error as Partial<FastifyError>
  const known = FASTIFY_ERRORS[code]
  if (known) return new ApiError(known.code, { message: known.message, cause: error })
  // Fastify sets 400 when the caller hangs up in the middle of the body. A lost database connection has no status.
  if (statusCode === 400 && isConnectionLost(code)) {
    return new ApiError('malformed_request', { message: 'The request ended before its body did', cause: error })
  }
  if (isDatabaseAway(error)) {
    return new ApiError('unavailable', {
      message: 'The service is briefly unavailable. Nothing was charged by this request. Try again.',
      headers: { 'retry-after': '2' },
      extra: { charged: false },
      cause: error,
    })
  }
  return new ApiError('internal_error', {
    message: 'Unexpected error. Quote the request_id to the operator.',
    cause: error,
  })
}

/** Responds with a refusal in the envelope of the family. */
export function sendRefusal(
  error: unknown,
  family: Family,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const refusal = toApiError(error)
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed')
  const { headers, body } = family.envelope(refusal, request)
  return reply
    .code(refusal.status)
    .headers({ 'cache-control': 'no-store', ...refusal.detail.headers, ...headers })
    .send(body)
}
