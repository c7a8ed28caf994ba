import type {
  PayFailure,
  PaySuccess,
  PublicError,
  SessionValidity,
  SurchargeQuestion,
  SurchargeResponse,
} from '../../contract/checkout-form.ts'
import type { DddAuthenticateRequest, DddAuthenticateResponse, DddInitResponse } from '../../contract/three-ds.ts'
import type { DddInitRequest } from '../view/ddd-init-request.ts'
import type { PageData } from '../view/page-data.ts'
import type { PayRequest } from '../view/pay-request.ts'

// The server responds to a payment within 15 s; later the response counts as lost.
const PAY_TIMEOUT_MS = 30_000
const STATUS_TIMEOUT_MS = 10_000
const RETRY_AFTER_SECONDS = 30
const RETRY_AFTER_SECONDS_MAX = 3_600

/** `lost` means that it is unknown whether the request arrived. */
export type Response<Body> =
  | { kind: 'ok'; body: Body }
  | { kind: 'refused'; status: number; error: Partial<PublicError>; retryAfterSeconds: number }
  | { kind: 'lost' }

/**
 * Sends a payment; never repeated automatically: the server charges one payment of a session at a time, and refuses a
 * second.
 */
export function sendPayment(data: PageData, request: PayRequest) {
  return post<PaySuccess | PayFailure>(data, '/pay', PAY_TIMEOUT_MS, request)
}

export function initThreeDs(data: PageData, request: DddInitRequest) {
  return postTo<DddInitResponse>(data, `/api/${data.businessId}/ddd/init`, PAY_TIMEOUT_MS, request)
}

/** The first request authenticates, later ones report the state, so they may be repeated. */
export function authenticateThreeDs(data: PageData, request: DddAuthenticateRequest) {
  return postTo<DddAuthenticateResponse>(data, `/api/${data.businessId}/ddd/authenticate`, PAY_TIMEOUT_MS, request)
}

export function sendCustomer(data: PageData, customer: { name: string; email: string }) {
  return post<{ customer: { id: string } }>(data, '/customer', STATUS_TIMEOUT_MS, customer)
}

export function quoteSurcharge(data: PageData, question: SurchargeQuestion) {
  return post<SurchargeResponse>(data, '/surcharge', STATUS_TIMEOUT_MS, question)
}

export function readSession(data: PageData) {
  return ask<SessionValidity>(data, sessionPath(data), STATUS_TIMEOUT_MS, { method: 'GET' })
}

const sessionPath = ({ token }: PageData) => `/api/checkout/${token}`

function post<Body>(data: PageData, path: string, timeoutMs: number, body: object): Promise<Response<Body>> {
  return postTo<Body>(data, sessionPath(data) + path, timeoutMs, body)
}

function postTo<Body>(data: PageData, path: string, timeoutMs: number, body: object): Promise<Response<Body>> {
  // Letters to the customer are in the page's language, which may differ from the browser's.
  const headers = { 'content-type': 'application/json', 'accept-language': data.locale }
  return ask<Body>(data, path, timeoutMs, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function ask<Body>(data: PageData, path: string, timeoutMs: number, init: RequestInit): Promise<Response<Body>> {
  try {
    const response = await fetch(data.apiBaseUrl + path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = await response.json()
    if (response.ok) return { kind: 'ok', body }
    const wanted = Number(response.headers.get('retry-after')) || RETRY_AFTER_SECONDS
    const retryAfterSeconds = Math.min(wanted, RETRY_AFTER_SECONDS_MAX)
    return { kind: 'refused', status: response.status, error: body, retryAfterSeconds }
  } catch {
    return { kind: 'lost' }
  }
}
