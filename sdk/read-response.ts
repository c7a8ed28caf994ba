import {
  ApiError,
  AuthenticationError,
  CardError,
  ConflictError,
  type ErrorDetail,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type RialtoError,
  ValidationError,
} from './errors.ts'

/** Maximum size of a body, larger than the longest page of any list. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

const CLASSES = new Map<string, new (detail: ErrorDetail) => RialtoError>([
  ['authentication_error', AuthenticationError],
  ['permission_error', PermissionError],
  ['invalid_request_error', InvalidRequestError],
  ['validation_error', ValidationError],
  ['card_error', CardError],
  ['conflict_error', ConflictError],
  ['rate_limit_error', RateLimitError],
])

/**
 * Returns the body of a successful response.
 *
 * @throws RialtoError for any other response, in the class of its type
 */
export async function readResponse(response: Response): Promise<unknown> {
  if (isRedirect(response)) {
    await response.body?.cancel()
    throw redirectRefused(response)
  }
  const text = await readText(response)
  const body = parsed(text)
  if (response.ok && body !== undefined) return body
  throw errorFrom(response, body)
}

// Requested with `redirect: 'manual'`, because workers do not support `error`. A browser then hides the status.
const isRedirect = ({ status, type }: Response) => type === 'opaqueredirect' || (status >= 300 && status < 400)

/** Returns the error for a redirect: to follow it would send the key to the address in the response. */
function redirectRefused({ status, headers }: Response): RialtoError {
  return new ApiError({
    type: 'api_error',
    code: 'redirect_refused',
    message: `The response is a redirect (HTTP ${status}), which is not followed. Check baseUrl`,
    status,
    requestId: headers.get('request-id'),
  })
}

/** Reads the text of a body; a body that is too long is not read to its end. */
async function readText(response: Response): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel()
      throw foreignResponse(response)
    }
    text += decoder.decode(value, { stream: true })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorFrom(response: Response, body: unknown): RialtoError {
  const error = isObject(body) && isObject(body.error) ? body.error : null
  const type = textOf(error?.type)
  if (!error || !type) return foreignResponse(response)
  const detail: ErrorDetail = {
    type: type as ErrorDetail['type'],
    code: textOf(error.code) ?? 'internal_error',
    message: textOf(error.message) ?? `HTTP ${response.status}`,
    param: textOf(error.param),
    status: response.status,
    requestId: textOf(error.request_id) ?? response.headers.get('request-id'),
    declineCode: textOf(error.decline_code),
    docUrl: textOf(error.doc_url),
    retryAfter: retryAfterOf(response),
  }
  const Refusal = response.status === 404 && type === 'invalid_request_error' ? NotFoundError : CLASSES.get(type)
  return new (Refusal ?? ApiError)(detail)
}

/**
 * Returns the error for a response that is not the API's. It does not quote the response: a proxy's page may contain
 * the request and its key.
 */
function foreignResponse(response: Response): RialtoError {
  const { status, headers } = response
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const detail: ErrorDetail = {
    type: status === 429 ? 'rate_limit_error' : 'api_error',
    code: status === 429 ? 'rate_limit_exceeded' : 'unreadable_response',
    message: `The response did not come from the API: HTTP ${status}, ${type}. Check baseUrl and any proxy in between`,
    status,
    requestId: headers.get('request-id'),
    retryAfter: retryAfterOf(response),
  }
  return status === 429 ? new RateLimitError(detail) : new ApiError(detail)
}

/** Returns `Retry-After` in seconds, from either of its forms; 0 for a time in the past. */
function retryAfterOf({ headers }: Pick<Response, 'headers'>): number | null {
  const value = headers.get('retry-after')
  if (!value) return null
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
