import { invalid, ServiceCheckoutError } from './errors.ts'
import { checkToken } from './options.ts'
import type { CreatedSession, ErrorCode, InitOptions, SessionInput, UiMode } from './types.ts'

interface CreateResponse {
  message?: string
  code?: string
  errors?: Record<string, string[]>
  checkout_session?: CreatedSession
}

/**
 * Requests a new session from the merchant's server, or from the API with a browser token.
 *
 * @throws ServiceCheckoutError
 */
export async function requestSession(
  options: InitOptions,
  data: SessionInput,
  ui_mode: UiMode,
): Promise<CreatedSession> {
  try {
    const created = options.fetchSession
      ? await options.fetchSession({ ...data, ui_mode })
      : await createByApi(options, data, ui_mode)
    return (created as CreateResponse).checkout_session ?? (created as CreatedSession)
  } catch (cause) {
    if (cause instanceof ServiceCheckoutError) throw cause
    // `fetch` rejects with a TypeError without a network, and if the API does not know this page's origin.
    throw new ServiceCheckoutError(cause instanceof TypeError ? 'network_error' : 'server_error', { cause })
  }
}

async function createByApi(
  { authToken, businessId, apiBaseUrl }: InitOptions,
  data: SessionInput,
  uiMode: UiMode,
): Promise<CreateResponse> {
  const token = typeof authToken === 'function' ? await authToken() : authToken
  if (!token) throw invalid('authToken')
  checkToken(token)
  const isRapid = uiMode === 'rapid'
  const path = `/api/${encodeURIComponent(businessId)}/${isRapid ? 'rapid-' : ''}checkout/create`
  const response = await postJson(
    apiBaseUrl.replace(/\/$/, '') + path,
    { ...data, ui_mode: isRapid ? undefined : uiMode },
    { authorization: `Bearer ${token}` },
  )
  const body: CreateResponse = await response.json().catch(() => ({}))
  if (!response.ok) throw refusal(response.status, body)
  return body
}

function refusal(httpStatus: number, { message, code = '', errors }: CreateResponse): ServiceCheckoutError {
  return new ServiceCheckoutError(refusalCode(httpStatus, code), {
    httpStatus,
    ...(message && { message }),
    ...(errors && { errors }),
  })
}

function refusalCode(status: number, code: string): ErrorCode {
  if (/^origin/.test(code)) return 'origin_mismatch'
  if (/^session/.test(code)) return 'session_closed'
  if (/40[13]/.test(`${status}`)) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'server_error' : 'validation_failed'
}

/** Posts JSON. Cookies are sent to the page's own origin only. */
export function postJson(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
