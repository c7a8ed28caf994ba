import { payBody, type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

/** A request from the given address. The service must trust 127.0.0.1 as a proxy. */
export type Call = (from: string) => Promise<Response>

const JSON_BODY = { 'content-type': 'application/json' }
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' }

export const get =
  (url: string, headers: Record<string, string> = {}): Call =>
  (from) =>
    send(url, { headers: { 'x-forwarded-for': from, ...headers } })

export const post =
  (url: string, body: object | string, headers: Record<string, string> = JSON_BODY): Call =>
  (from) =>
    send(url, {
      method: 'POST',
      headers: { 'x-forwarded-for': from, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

export const preflight =
  (url: string, origin: string): Call =>
  (from) =>
    send(url, {
      method: 'OPTIONS',
      headers: { 'x-forwarded-for': from, origin, 'access-control-request-method': 'POST' },
    })

type Door = (service: Pick<TestService, 'url' | 'formUrl'>, token: string) => Call

/** Every path of both listeners that accepts a session token, and whether it only reads. */
export const DOORS: Record<string, { isRead: boolean; call: Door }> = {
  validate: { isRead: true, call: ({ url }, token) => get(`${url}/api/checkout/${token}`) },
  data: { isRead: true, call: ({ url }, token) => get(`${url}/api/checkout/${token}/data`) },
  page: { isRead: true, call: ({ formUrl }, token) => get(`${formUrl}/customer/checkout/${token}`) },
  'page of the modal': {
    isRead: true,
    call: ({ formUrl }, token) => get(`${formUrl}/customer/checkout-rapid/${token}`),
  },
  surcharge: {
    isRead: true,
    call: ({ url }, token) => post(`${url}/api/checkout/${token}/surcharge`, { cardNumber: '42424242' }),
  },
  customer: {
    isRead: false,
    call: ({ url }, token) =>
      post(`${url}/api/checkout/${token}/customer`, { name: 'Ana Roy', email: 'a@example.com' }),
  },
  pay: {
    isRead: false,
    call: ({ url }, token) => post(`${url}/api/checkout/${token}/pay`, { ...payBody(), amount: 1 }),
  },
  'form without JavaScript': {
    isRead: false,
    call: ({ formUrl }, token) => post(`${formUrl}/customer/checkout/${token}`, 'cardnumber=1', FORM_BODY),
  },
}

/**
 * Counts statuses.
 *
 * @returns how many of the calls had each status
 */
export async function tally(
  times: number,
  from: string,
  call: (index: number) => Call,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let index = 0; index < times; index++) {
    const { status } = await call(index)(from)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
