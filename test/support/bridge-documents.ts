import { equal, match } from 'node:assert/strict'
import { type RecordedAuthentication, recordAuthentication, recordChallenge } from './authentication-row.ts'
import { merchantOf, type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

// The documents between the payment page and the bank's pages, for tests over HTTP.

export const BANK = 'https://acs.bank.example'
export const METHOD = `${BANK}/method?x=1&y="2"`
export const CHALLENGE = `${BANK}/challenge`

type Named = Pick<RecordedAuthentication, 'ddd'>
type Input = Record<string, unknown>

export function bridgeOf(service: TestService) {
  const { formUrl, demo } = service
  const url = (path: string, { ddd }: Named) => `${formUrl}/customer/ddd/${path}/${ddd}`
  async function newSession(input: Input = {}) {
    const { id, token } = (await merchantOf(service).createSession(input)).body.checkout_session
    return { businessId: demo.business_id, id: id as string, token: token as string }
  }
  return {
    url,
    newSession,
    started: async (methodUrl: string | null = METHOD, session: Input = {}) =>
      recordAuthentication(service, await newSession(session), methodUrl),
    challenged: async (challengeUrl = CHALLENGE, session: Input = {}) =>
      recordChallenge(service, await newSession(session), challengeUrl),
    open: (path: string, made: Named, headers: Record<string, string> = {}) => send(url(path, made), { headers }),
    post: (path: string, made: Named, body = '', headers: Record<string, string> = {}) =>
      send(url(path, made), { method: 'POST', body, headers: { 'content-type': FORM, ...headers } }),
    /** Asserts a document without a form, which notifies the page that frames it. */
    assertNeutral(response: Response, status: number, { ddd }: Named): void {
      equal(response.status, status)
      match(response.headers.get('content-type') ?? '', /^text\/html/)
      match(
        response.headers.get('content-security-policy') ?? '',
        /; form-action 'none'; base-uri 'none'; frame-ancestors 'self'/,
      )
      equal(response.headers.get('cache-control'), 'no-store')
      match(response.body, new RegExp(`<body data-id="${ddd}" data-origin="${formUrl}">`))
      match(response.body, /parent\.postMessage\(\{ type: 'rc:ddd', id \}, origin\)/)
      equal(/<form|<iframe/.test(response.body), false)
      equal(response.body.includes(BANK), false)
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'
