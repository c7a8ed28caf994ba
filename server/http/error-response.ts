import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import { isMerchantApi, isTokenPath } from './api-family.ts'
import { tokenHeaders, tokenMembers } from './token-envelope.ts'

/** What Fastify and the database throw by themselves, as refusals of ours. */
const KNOWN: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', message: 'The body is larger than allowed here' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Send application/json in UTF-8' },
  FST_ERR_CTP_EMPTY_TYPE: { code: 'unsupported_media_type', message: 'Send application/json in UTF-8' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed_request', message: 'Content-Length does not match the body' },
  FST_ERR_BAD_URL: { code: 'not_found', message: 'No such path' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', message: 'No such path' },
}

/** SQLSTATE of a server that is away, shutting down, full, too busy, or that rolled us back in favour of another; and how node-postgres says that a socket broke. */
const DATABASE_AWAY = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '53200',
  '57014',
  '55P03',
  '08006',
  '08003',
  '25P03',
  '40001',
  '40P01',
])
const NETWORK_AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOENT'])
const CONNECTION_LOST =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|connection error and is not queryable/

/** Any thrown value as a refusal; `internal_error` for what nobody foresaw. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code = '', statusCode } = error as Partial<FastifyError>
  const known = KNOWN[code]
  if (known) return new ApiError(known.code, { message: known.message, cause: error })
  // The caller hung up while the body was read: Fastify puts 400 on it. A broken database connection has no status.
  if (statusCode === 400 && NETWORK_AWAY.has(code)) {
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

export function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return DATABASE_AWAY.has(code) || NETWORK_AWAY.has(code) || CONNECTION_LOST.test(message)
}

/** Renders a refusal in the envelope of the family that was called (CHK-1, API-4). */
export function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (refusal: ApiError, request: FastifyRequest, reply: FastifyReply) => FastifyReply = sendEnvelope,
): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed')
  reply.code(refusal.status).headers({ 'cache-control': 'no-store', ...refusal.detail.headers })
  return render(refusal, request, reply)
}

function sendEnvelope(refusal: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isMerchantApi(request.url)) return reply.send(merchantEnvelope(refusal, request.id))
  const envelope = oauthEnvelope(refusal, request.id)
  if (!isTokenPath(request.url)) return reply.send(envelope)
  return reply.headers(tokenHeaders(refusal)).send({ ...envelope, ...tokenMembers(refusal) })
}

function oauthEnvelope({ code, detail }: ApiError, requestId: string) {
  return {
    ok: false,
    message: detail.message,
    code,
    ...(detail.errors && { errors: detail.errors }),
    ...detail.extra,
    request_id: requestId,
  }
}

const WHOLE: ReadonlySet<string> = new Set(['body', 'querystring'])

function merchantEnvelope({ v1: [type, code], detail }: ApiError, requestId: string) {
  const [field] = Object.keys(detail.errors ?? {})
  // What is wrong with the whole body is wrong with no parameter of it.
  const param = field === undefined || WHOLE.has(field) ? null : field
  const { decline_code, doc_url } = detail.extra ?? {}
  const more = { ...(decline_code !== undefined && { decline_code }), ...(doc_url !== undefined && { doc_url }) }
  return { error: { type, code, message: detail.message, param, request_id: requestId, ...more } }
}
