import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { WalletFrameData } from '../../contract/wallet-frame.ts'
import { TEST_ROOT_PUBLIC_KEY } from '../../server/google-pay/published-test-keys.ts'
import { acceptGooglePay, walletBody } from '../support/google-pay-shop.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput } from '../support/sign-up.ts'

// GPY-1, GPY-8, GPY-11 over HTTP: the page that offers the button, and the document of its frame.

const SCRIPT = '/google-pay/button.test.js'

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  await acceptGooglePay(service)
})
after(() => service.close())

/** Opens the payment page of a session, and the frame that it names. */
async function openPage(token: string, of = service) {
  const response = await fetch(`${of.formUrl}/customer/checkout/${token}?locale=fr`)
  const html = await response.text()
  const data = JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}')
  return { response, html, frame: data.walletFrame as string | null }
}

async function openFrame(url: string) {
  const response = await fetch(url)
  const html = await response.text()
  const block = /id="wallet-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null'
  return { response, html, data: JSON.parse(block) as WalletFrameData }
}

const policyOf = ({ headers }: Response) => (headers.get('content-security-policy') ?? '').split('; ')
const frameParameter = (url: string) => new URL(url).searchParams.get('frame')

describe('the payment page', () => {
  test('GPY-1: with Google Pay it frames the wallet’s origin, delegates payment to it, and loads nothing of Google’s', async () => {
    const { response, html, frame } = await openPage(await merchant.sessionToken())
    equal(
      policyOf(response).find((rule) => rule.startsWith('frame-src')),
      `frame-src ${service.url.replace('127.0.0.1', 'localhost')}`,
    )
    match(response.headers.get('permissions-policy') ?? '', /payment=\(self "http:\/\/localhost:\d+"\)/)
    equal(/google\.com|gstatic/.test(html + policyOf(response)), false)
    match(frame ?? '', /^http:\/\/localhost:\d+\/google-pay\/button\?frame=[\w-]{64}&locale=fr-CA$/)
    match(html, /ou payez par carte/)
  })

  test('GPY-1: without it, nothing of it is in the page or its policy', async () => {
    await setBusiness(service, { google_pay_enabled: false })
    const { response, html, frame } = await openPage(await merchant.sessionToken())
    await setBusiness(service, { google_pay_enabled: true })
    equal(frame, null)
    equal(
      policyOf(response).some((rule) => rule.startsWith('frame-src')),
      false,
    )
    equal(/id="wallet"|google-pay/.test(html), false)
  })

  test('GPY-1: where the API has the origin of the card page, nothing of it is shown', async () => {
    const walletUrl = new URL(service.formUrl).origin
    await using beside = await openService({ beside: service, config: { walletUrl, dashboardUrl: walletUrl } })
    const token = await merchant.sessionToken()
    equal((await payerOf(beside).data(token)).body.payment_methods.google_pay.enabled, false)
    equal((await payer.data(token)).body.payment_methods.google_pay.enabled, true)
  })

  test('a subscription has none, because its card is stored', async () => {
    const { frame } = await openPage(await merchant.sessionToken(planInput()))
    equal(frame, null)
  })
})

describe('the document of the button’s frame', () => {
  test('GPY-11: has the session’s amount and the business’s recipient, in the payer’s language', async () => {
    const { frame } = await openPage(await merchant.sessionToken({ amount_total: 39.5 }))
    const { response, html, data } = await openFrame(frame ?? '')
    equal(response.status, 200)
    match(html, /<html lang="fr-CA"/)
    deepEqual(
      [data.wallet, data.environment, data.pageOrigin, data.locale],
      ['simulated', 'TEST', service.formUrl, 'fr-CA'],
    )
    const { transactionInfo, merchantInfo, allowedPaymentMethods } = data.request
    equal(transactionInfo.totalPrice, '39.50')
    equal(merchantInfo.merchantId, '12345678901234567890')
    equal(allowedPaymentMethods[0]?.tokenizationSpecification.type, 'DIRECT')
  })

  test('GPY-1: only the payment page may frame it, and only its own script runs', async () => {
    const { frame } = await openPage(await merchant.sessionToken())
    const { response, html } = await openFrame(frame ?? '')
    const { origin } = new URL(frame ?? '')
    deepEqual(policyOf(response), [
      "default-src 'none'",
      `script-src ${origin}${SCRIPT}`,
      `connect-src ${origin}/google-pay/simulated-token`,
      "form-action 'none'",
      "base-uri 'none'",
      `frame-ancestors ${service.formUrl}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'report-to csp',
    ])
    equal(response.headers.get('cache-control'), 'no-store')
    equal(response.headers.get('referrer-policy'), 'no-referrer')
    equal(html.match(/<script/g)?.length, 2)
    equal((await fetch(origin + SCRIPT)).headers.get('content-type'), 'text/javascript; charset=utf-8')
  })

  test('in a merchant’s page, the registered origin around the payment page may be around it too', async () => {
    const { body } = await merchant.createSession({ ui_mode: 'embedded' })
    const { checkout_session } = body
    const { frame } = await openPage(checkout_session.token)
    const { response } = await openFrame(frame ?? '')
    const { parent_origin } = (await payer.data(checkout_session.token)).body.checkout_session
    notEqual(parent_origin, null)
    equal(
      policyOf(response).find((rule) => rule.startsWith('frame-ancestors')),
      `frame-ancestors ${service.formUrl} ${parent_origin}`,
    )
  })

  test('its token opens nothing else, and no other token opens it', async () => {
    const token = await merchant.sessionToken()
    const { frame } = await openPage(token)
    const sealed = frameParameter(frame ?? '') ?? ''
    notEqual(sealed, token)
    equal((await payer.data(sealed)).status, 404)
    const { origin } = new URL(frame ?? '')
    for (const query of [
      '',
      '?frame=',
      `?frame=${token}`,
      `?frame=${'a'.repeat(64)}`,
      `?frame=${sealed}&frame=${sealed}`,
    ]) {
      const response = await fetch(`${origin}/google-pay/button${query}`)
      equal(response.status, 404, query)
      equal((await response.text()).includes('totalPrice'), false)
    }
  })

  test('a session that is closed, or whose business turned Google Pay off, has none', async () => {
    const token = await merchant.sessionToken()
    const url = (await openPage(token)).frame ?? ''
    await setBusiness(service, { google_pay_enabled: false })
    equal((await fetch(url)).status, 404)
    await setBusiness(service, { google_pay_enabled: true })
    equal((await fetch(url)).status, 200)
    await merchant.post(`/checkout/${token}/cancel`, {})
    equal((await fetch(url)).status, 404)
  })

  test('the log has no token of a frame', async () => {
    const { frame } = await openPage(await merchant.sessionToken())
    await fetch(frame ?? '')
    equal(service.logged().includes(frameParameter(frame ?? '') ?? '-'), false)
  })
})

describe('the simulated wallet (GPY-8)', () => {
  const ask = (body: object, headers: Record<string, string> = {}, of = service) =>
    fetch(`${of.url}/google-pay/simulated-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const CARD = { card_network: 'VISA', auth_method: 'CRYPTOGRAM_3DS' }

  for (const card_network of ['VISA', 'MASTERCARD', 'AMEX'])
    for (const auth_method of ['PAN_ONLY', 'CRYPTOGRAM_3DS'])
      test(`CAS-81: ${card_network}, ${auth_method}: its token pays`, async () => {
        const session_token = await merchant.sessionToken()
        const response = await ask({ session_token, card_network, auth_method })
        const { google_pay_token } = await response.json()
        const { body } = await payer.pay(session_token, walletBody(google_pay_token))
        deepEqual([response.status, body.ok], [200, true])
      })

  test('bad input is refused with the field named', async () => {
    const session_token = await merchant.sessionToken()
    for (const [body, field] of [
      [{ ...CARD, session_token, card_network: 'DISCOVER' }, 'card_network'],
      [{ session_token, card_network: 'VISA' }, 'auth_method'],
      [CARD, 'session_token'],
      [{ ...CARD, session_token: 7 }, 'session_token'],
    ] as const) {
      const response = await ask(body)
      const { status, headers } = response
      assertRefused({ status, headers, body: await response.json() }, 422, 'validation_failed', [field])
    }
    equal((await ask({ ...CARD, session_token: 'a'.repeat(64) })).status, 404)
    equal((await ask({ ...CARD, frame: session_token })).status, 404)
  })

  test('a page of another origin gets no token', async () => {
    const session_token = await merchant.sessionToken()
    const response = await ask({ ...CARD, session_token }, { origin: 'https://evil.example' })
    deepEqual([response.status, response.headers.get('access-control-allow-origin')], [403, null])
  })

  test('with Google’s wallet its path is unknown, and only the frame’s policy has Google’s origins', async () => {
    await using keys = await rootKeys()
    await using live = await openService({ config: { googlePayRootKeysUrl: keys.url } })
    await acceptGooglePay(live)
    const session_token = await merchantOf(live).sessionToken()
    equal((await ask({ ...CARD, session_token }, {}, live)).status, 404)
    const page = await openPage(session_token, live)
    equal(/google\.com|gstatic/.test(page.html + policyOf(page.response)), false)
    const { response, html, data } = await openFrame(page.frame ?? '')
    equal(data.wallet, 'google')
    equal(html.includes('google.com'), false)
    const { origin } = new URL(page.frame ?? '')
    deepEqual(policyOf(response).slice(1, 7), [
      `script-src ${origin}${SCRIPT} https://pay.google.com`,
      'frame-src https://pay.google.com',
      'connect-src https://pay.google.com https://google.com/pay https://www.google.com/pay',
      'img-src https://www.gstatic.com https://pay.google.com',
      "style-src 'unsafe-inline'",
      'form-action https://pay.google.com',
    ])
    equal(policyOf(response).at(-2), `frame-ancestors ${live.formUrl}`)
  })
})

/** Starts a server from which a service in production mode fetches Google's keys. */
async function rootKeys() {
  const key = {
    keyValue: TEST_ROOT_PUBLIC_KEY,
    protocolVersion: 'ECv2',
    keyExpiration: String(Date.now() + 86_400_000),
  }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys.json`
  return { url, [Symbol.asyncDispose]: async () => void server.close() }
}
