import { CARDS } from './card-numbers.ts'
import { type Response, send } from './send.ts'
import type { TestService } from './service.ts'

// The requests of a merchant's server and of the payment form, in a short form for tests.

export { type Response, send }

export interface Merchant {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  get(path: string): Promise<Response>
  /** Creates a session of 25.50 with the given changes. */
  createSession(input?: Record<string, unknown>): Promise<Response>
  /** Creates a session and returns only its token. */
  sessionToken(input?: Record<string, unknown>): Promise<string>
  details(token: string): Promise<Response>
  cancel(token: string, body?: unknown): Promise<Response>
}

/** @param service the service of the demo business */
export function merchantOf({ url, demo }: Pick<TestService, 'url' | 'demo'>): Merchant {
  const authorization = `Bearer ${demo.access_token}`
  const base = `${url}/api/${demo.business_id}`
  const post: Merchant['post'] = (path, body, headers) =>
    send(`${base}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const createSession: Merchant['createSession'] = (input) => post('/checkout/create', { ...SESSION, ...input })
  return {
    post,
    get: (path) => send(`${base}${path}`, { headers: { authorization } }),
    createSession,
    async sessionToken(input) {
      const { status, body } = await createSession(input)
      if (status !== 200) throw new Error(`The session was refused: ${JSON.stringify(body)}`)
      return body.checkout_session.token
    },
    details: (token) => send(`${base}/checkout/${token}/details`, { headers: { authorization } }),
    cancel: (token, body = {}) => post(`/checkout/${token}/cancel`, body),
  }
}

export const SESSION = {
  amount_total: 25.5,
  customer_email: 'ana@example.com',
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
}

/** Returns the pay request of the form for a typed card. */
export function payBody(
  cardNumber: string = CARDS.visa,
  card: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  const address = { postalCode: '10001', line1: '1 Main Street' }
  const cardData = {
    cardNumber,
    month: '12',
    year: 2031,
    nameOnCard: 'Ana Roy',
    cvv: '123',
    saveCard: false,
    address,
    ...card,
  }
  return { payment_method_type: 'new_card', amount: 25.5, cardData, ...more }
}

/** Returns the calls of the form with a session token. */
export function payerOf({ url }: Pick<TestService, 'url'>) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(`${url}/api/checkout/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    validate: (token: string) => send(`${url}/api/checkout/${token}`),
    data: (token: string) => send(`${url}/api/checkout/${token}/data`),
    customer: (token: string, body: unknown) => post(`${token}/customer`, body),
    surcharge: (token: string, body: unknown) => post(`${token}/surcharge`, body),
    pay: (token: string, body: unknown = payBody(), headers: Record<string, string> = {}) =>
      post(`${token}/pay`, body, headers),
  }
}
