import { equal } from 'node:assert/strict'
import { type Merchant, merchantOf, SESSION, send } from './merchant.ts'
import type { TestService } from './service.ts'

// The two ways to create a session: from the merchant's server and from its page.

/** The registered origin of the demo client. */
const ORIGIN = 'https://shop.example'

export const CREATES = ['/checkout/create', '/rapid-checkout/create'] as const
export type CreatePath = (typeof CREATES)[number]

const bodyOf = (path: CreatePath) =>
  path === '/checkout/create' ? SESSION : { amount_total: 25.5, customer_email: SESSION.customer_email }

export interface ShopPage {
  /** Returns a browser token, by default for twenty sessions. */
  browserToken(binding?: object): Promise<string>
  /** Sends the body of a page; `undefined` omits a member. */
  create(browserToken: string, path: CreatePath, input?: object): ReturnType<typeof send>
  /** Creates a session with a browser token of that binding, and returns its token. */
  fromPage(binding: object, path: CreatePath, input?: object): Promise<string>
  /** Creates a session with the access token, and returns its token. */
  fromServer(path: CreatePath, input: object): Promise<string>
}

export function shopPageOf(service: TestService, merchant: Merchant = merchantOf(service)): ShopPage {
  const browserToken: ShopPage['browserToken'] = async (binding = {}) => {
    const { status, body } = await merchant.post('/browser-tokens', { origin: ORIGIN, max_uses: 20, ...binding })
    equal(status, 200, JSON.stringify(body))
    return body.browser_token
  }
  const create: ShopPage['create'] = (token, path, input = {}) =>
    send(`${service.url}/api/${service.demo.business_id}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ ...bodyOf(path), ...input }),
    })
  return {
    browserToken,
    create,
    fromPage: async (binding, path, input = {}) => sessionOf(await create(await browserToken(binding), path, input)),
    fromServer: async (path, input) => sessionOf(await merchant.post(path, { ...bodyOf(path), ...input })),
  }
}

function sessionOf({ status, body }: Awaited<ReturnType<typeof send>>): string {
  equal(status, 200, JSON.stringify(body))
  return body.checkout_session.token
}
