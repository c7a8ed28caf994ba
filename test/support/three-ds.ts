import { equal } from 'node:assert/strict'
import { businessNow } from '../../server/businesses/business.ts'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import { changeAuthentication, recordAuthentication } from './authentication-row.ts'
import { CARDS } from './card-numbers.ts'
import { payBody, payerOf, type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

export const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'fr-CA',
  color_depth: '30',
  screen_height: '844',
  screen_width: '390',
  tz: '300',
  user_agent: 'Mozilla/5.0 (test)',
  challenge_window_size: '02',
}

/** Returns the body of init for a typed card, with the given changes. */
export function initBody(
  token: string,
  { cardNumber = CARDS.visa, ...more }: Record<string, unknown> & { cardNumber?: string } = {},
) {
  const cardData = { cardNumber, month: '12', year: 2031, nameOnCard: 'Ana Roy', address: { postalCode: '10001' } }
  return { session_token: token, payment_method_type: 'new_card', amount: 25.5, cardData, ...more }
}

/** Returns the calls of the card page with 3-D Secure. */
export function threeDsOf(service: Pick<TestService, 'url' | 'demo'>, businessId = service.demo.business_id) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(`${service.url}/api/${businessId}/ddd/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const init = (token: string, more: Parameters<typeof initBody>[1] = {}, headers?: Record<string, string>) =>
    post('init', initBody(token, more), headers)
  const authenticate = (
    token: string,
    id: string,
    more: Record<string, unknown> = {},
    headers?: Record<string, string>,
  ) => post('authenticate', { session_token: token, ddd_session_id: id, browser: BROWSER, ...more }, headers)
  const begin = async (token: string, more: Parameters<typeof initBody>[1] = {}): Promise<string> => {
    const { status, body } = await init(token, more)
    equal(status, 200, JSON.stringify(body))
    return body.ddd_session_id
  }
  return {
    post,
    init,
    authenticate,
    /** Begins an authentication. @returns its id */
    begin,
    /** Authenticates the payer without a challenge. */
    async authenticated(token: string, more: Parameters<typeof initBody>[1] = {}): Promise<string> {
      const id = await begin(token, more)
      const { body } = await authenticate(token, id)
      equal(body.status, 'authenticated', JSON.stringify(body))
      return id
    },
    pay: (token: string, cardNumber?: string, more: Record<string, unknown> = {}): Promise<Response> =>
      payerOf(service).pay(token, payBody(cardNumber, {}, more)),
  }
}

/** Returns the rows of a session's authentications, oldest first. */
export function authenticationsOf({ app, demo }: Pick<TestService, 'app' | 'demo'>) {
  return app.services.db
    .selectFrom('authentication')
    .selectAll()
    .where('business_id', '=', demo.business_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Inserts a successful authentication of the session, without a card, so that a call reports it. */
export async function makeAuthentication({ app }: Pick<TestService, 'app'>, token: string): Promise<string> {
  const { db, clock, sessionTokens } = app.services
  const place = sessionTokens.open(token)
  if (!place) throw new Error('a new session has no place')
  const business = await findBusiness(db, place.businessId)
  if (!business) throw new Error('the business of a session is missing')
  const made = await recordAuthentication({ app }, place, null)
  const decided = { state: 'AUTHENTICATED', trans_status: 'Y', decided_at: businessNow(clock, business) } as const
  await changeAuthentication({ app }, made, decided)
  return made.id
}
