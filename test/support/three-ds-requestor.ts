import { equal } from 'node:assert/strict'

// A requestor of the simulated 3-D Secure server, and the payer's browser without scripts, for tests of the simulator.

export type Json = Record<string, unknown>

export interface Reply {
  status: number
  body: Json
}

const NOTIFICATION_URL = 'http://localhost:4001/customer/ddd/done/ddd_1'

const NEW_IN_2_3_1 = { acceptLanguage: ['en'], acquirerCountryCode: '124', acquirerCountryCodeSource: '01' }

/** Returns an authentication request with everything that its version requires; 2.2.0 by default. */
export function exampleAreq(number: string, serverTransactionId: unknown, changes: Json = {}): Json {
  return {
    messageType: 'AReq',
    messageVersion: '2.2.0',
    messageCategory: '01',
    deviceChannel: '02',
    threeDSServerTransID: serverTransactionId,
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorURL: 'https://shop.example',
    notificationURL: NOTIFICATION_URL,
    acctNumber: number,
    cardExpiryDate: '3112',
    cardholderName: 'Ana Roy',
    acquirerBIN: '438309',
    acquirerMerchantID: '00002000000',
    mcc: '5411',
    merchantName: 'Maple & Co',
    merchantCountryCode: '124',
    purchaseAmount: '3955',
    purchaseCurrency: '124',
    purchaseExponent: '2',
    purchaseDate: '20261122210000',
    browserAcceptHeader: 'text/html,*/*;q=0.8',
    browserIP: '203.0.113.7',
    browserJavaEnabled: false,
    browserLanguage: 'en',
    browserColorDepth: '24',
    browserScreenHeight: '844',
    browserScreenWidth: '390',
    browserTZ: '300',
    browserUserAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    email: 'ana@example.com',
    mobilePhone: { cc: '1', subscriber: '5145550123' },
    ...(changes.messageVersion !== '2.1.0' && { browserJavascriptEnabled: true }),
    ...(changes.messageVersion === '2.3.1' && NEW_IN_2_3_1),
    ...changes,
  }
}

export function requestorOf({ url, secret }: { url: string; secret: string }) {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const response = await fetch(`${url}/3ds/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', apikey: secret, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }
  const page = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/sim/acs/${path}`, {
      method: 'POST',
      headers: { origin: 'http://localhost:4001', 'sec-fetch-site': 'cross-site', ...headers },
      body: new URLSearchParams(fields),
    })
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  const preauth = (acctNumber: unknown) => post('preauth', { acctNumber })
  const postauth = (threeDSServerTransID: unknown) => post('postauth', { threeDSServerTransID })
  /** Looks the card up and sends an AReq of the newest version that the card has. */
  const authenticate = async (number: string, changes: Json = {}): Promise<Reply> => {
    const { body: card } = await preauth(number)
    const messageVersion = card.acsEndProtocolVersion
    return post('auth', exampleAreq(number, card.threeDSServerTransID, { messageVersion, ...changes }))
  }
  /** Returns the bank's first page of a challenge, and the identity of the challenge. */
  const challenge = async (number: string, changes: Json = {}) => {
    const { body: ares } = await authenticate(number, changes)
    equal(ares.transStatus, 'C', JSON.stringify(ares))
    const { acsTransID, threeDSServerTransID, messageVersion } = ares as Record<string, string>
    const creq = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '02' }
    const first = await page('challenge', { creq: encoded(creq), threeDSSessionData: 'c2Vzc2lvbg' })
    return { ares, creq, first, acsTransID: String(acsTransID), threeDSServerTransID }
  }
  return { post, page, preauth, postauth, authenticate, challenge }
}

export const encoded = (message: Json): string => Buffer.from(JSON.stringify(message)).toString('base64url')

export const decoded = (text: string | undefined): Json =>
  JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Json

/** Returns the URL to which a page posts, and its hidden fields. */
export function formOf(html: string): { action: string; fields: Record<string, string> } {
  const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(html) ?? []
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])) }
}
