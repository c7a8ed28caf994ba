import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-22, CHK-37, CHK-38.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  // Before the first call, so that no caller is cached without it.
  await setBusiness(service, { surcharge_rate_bp: 240 })
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

test('GET /api/checkout/{token} shows whether it can be paid, and where', async () => {
  const { token, checkout_url, expires_at } = (await merchant.createSession()).body.checkout_session
  const response = await payer.validate(token)
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { message, server_time, ...body } = response.body
  match(message, /\S/)
  equal(Math.abs(Date.parse(server_time) - Date.now()) < 60_000, true)
  deepEqual(body, {
    ok: true,
    status: 'PENDING',
    payment_status: 'UNPAID',
    ui_mode: 'hosted',
    checkout_url,
    expires_at,
    payment_in_progress: false,
  })
})

test('a closed session names its payment to whoever holds its token, and only a paid one does', async () => {
  const session = async () => (await merchant.createSession()).body.checkout_session
  const [paid, cancelled] = [await session(), await session()]
  await payer.pay(paid.token)
  await merchant.cancel(cancelled.token)
  const { status, body } = await payer.validate(paid.token)
  deepEqual([status, body.code], [400, 'session_completed'])
  const { checkout_session, transaction } = (await merchant.details(paid.token)).body
  equal(checkout_session.payment_status, 'PAID')
  const { id: transaction_id, receipt_id, details } = transaction
  const { currency } = checkout_session
  deepEqual(body.payment, { transaction_id, receipt_id, amount: details.amount, currency })
  equal((await payer.validate(cancelled.token)).body.payment, undefined)
})

describe('GET /api/checkout/{token}/data', () => {
  test('has the session, the business, and what can be paid with', async () => {
    const { token, id, expires_at } = (await merchant.createSession({ ui_mode: 'embedded' })).body.checkout_session
    const response = await payer.data(token)
    equal(response.status, 200)
    assertCommonHeaders(response)
    const { checkout_session, business, payment_methods, three_ds, ...rest } = response.body
    deepEqual(rest, { ok: true, status: 'PENDING', customer: null, saved_cards: [] })
    const { server_time, ...session } = checkout_session
    match(server_time, /Z$/)
    deepEqual(session, {
      id,
      session_status: 'PENDING',
      payment_status: 'UNPAID',
      ui_mode: 'embedded',
      mode: 'payment',
      currency: 'USD',
      amount_total: 25.5,
      amount_subtotal: null,
      amount_tax: null,
      amount_discount: null,
      description: null,
      line_items: [],
      discounts: [],
      surcharge: null,
      billing_address_collection: null,
      shipping_address_collection: null,
      consent_collection: null,
      subscription: null,
      attempt_count: 0,
      max_attempts: 3,
      success_url: `https://shop.example/thanks?session_token=${token}&session_id=${token}`,
      cancel_url: `https://shop.example/cart?session_token=${token}&session_id=${token}`,
      parent_origin: 'https://shop.example',
      locale: null,
      expires_at,
      payment_in_progress: false,
    })
    deepEqual(Object.keys(business).sort(), [
      'brand_color',
      'color_scheme',
      'corner_radius',
      'country',
      'font_stack',
      'id',
      'logo_url',
      'name',
      'privacy_url',
      'support_email',
      'support_phone',
      'terms_url',
    ])
    equal(business.name, 'Demo Shop')
    deepEqual(Object.keys(payment_methods).sort(), ['card', 'google_pay', 'saved_card'])
    equal(payment_methods.card.enabled, true)
    deepEqual(Object.keys(payment_methods.google_pay).sort(), [
      'allowed_auth_methods',
      'allowed_card_networks',
      'enabled',
      'environment',
      'gateway',
      'gateway_merchant_id',
      'merchant_id',
      'merchant_name',
    ])
    deepEqual(Object.keys(three_ds).sort(), ['challenge_timeout_ms', 'enabled', 'method_timeout_ms'])
  })

  test('line items and discounts have all their members, null where nothing was given', async () => {
    const token = await merchant.sessionToken({
      line_items: [{ name: 'Cup', quantity: 2, unit_amount: 1.15, total: 2.3 }],
      discounts: [{ code: 'SPRING', percent_off: 12.5 }],
    })
    const { line_items, discounts } = (await payer.data(token)).body.checkout_session
    deepEqual(line_items, [{ name: 'Cup', quantity: 2, unit_amount: 1.15, total: 2.3, image: null }])
    deepEqual(discounts, [{ name: null, code: 'SPRING', amount: null, percent_off: 12.5 }])
  })

  test('a hosted session names no parent', async () => {
    const { body } = await payer.data(await merchant.sessionToken())
    equal(body.checkout_session.parent_origin, null)
  })

  test('what is only for the merchant is not shown: metadata, reference, e-mail', async () => {
    const secret = { metadata: { note: 'm-secret' }, client_reference_id: 'r-secret', customer_name: 'n-secret' }
    const token = await merchant.sessionToken({ ...secret, customer_email: 'e-secret@example.com' })
    const text = JSON.stringify((await payer.data(token)).body)
    equal(/-secret/.test(text), false)
  })

  test('a surcharge is shown before the click: rate in percent, half up to the cent', async () => {
    const token = await merchant.sessionToken({ surcharge: true, amount_total: 25.63 })
    const { surcharge } = (await payer.data(token)).body.checkout_session
    deepEqual([surcharge.rate, surcharge.amount], [2.4, 0.62])
    deepEqual((await merchant.details(token)).body.checkout_session.surcharge, { rate: 2.4, amount: null })
  })
})

describe('stored cards', () => {
  let customerId: string
  before(async () => {
    const token = await merchant.sessionToken({ customer_email: 'saver@example.com' })
    await payer.pay(token, payBody(CARDS.visa, { saveCard: true }))
    customerId = (await merchant.details(token)).body.checkout_session.customer_id
  })

  test('appear when the merchant bound the session to customer_id', async () => {
    const { body } = await payer.data(await merchant.sessionToken({ customer_id: customerId }))
    equal(body.customer.id, customerId)
    equal(body.saved_cards.length, 1)
    const { id, ...card } = body.saved_cards[0]
    match(id, /^[0-9a-f-]{36}$/)
    deepEqual(card, {
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2031,
      name_on_card: 'Ana Roy',
      expired: false,
    })
  })

  test('never for an e-mail, neither the merchant’s nor one that a payer typed', async () => {
    const byEmail = await merchant.sessionToken({ customer_email: 'saver@example.com' })
    deepEqual((await payer.data(byEmail)).body.saved_cards, [])
    const typed = await merchant.sessionToken({ customer_email: 'stranger@example.com' })
    await payer.customer(typed, { name: 'Stranger', email: 'saver@example.com' })
    const { body } = await payer.data(typed)
    deepEqual([body.saved_cards, body.customer.email, body.customer.name], [[], null, null])
    notEqual(body.customer.id, customerId)
  })
})

describe('tokens that open nothing: 404, all the same', () => {
  const calls: Record<string, (token: string) => ReturnType<typeof payer.validate>> = {
    validate: (token) => payer.validate(token),
    data: (token) => payer.data(token),
    customer: (token) => payer.customer(token, { name: 'Ana', email: 'ana@example.com' }),
    pay: (token) => payer.pay(token),
  }
  for (const [name, call] of Object.entries(calls)) {
    test(name, async () => {
      const known = await merchant.sessionToken()
      for (const token of ['f'.repeat(64), 'abc', known.toUpperCase(), known.slice(1), `${known}0`, `${known}%00`]) {
        assertRefused(await call(token), 404, 'not_found')
      }
    })
  }
})

describe('CORS', () => {
  const from = (path: string, origin: string, init: RequestInit = {}) =>
    send(`${service.url}/api/checkout/${path}`, { ...init, headers: { origin, ...init.headers } })
  const acao = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')

  test('the payment form’s origin is admitted, on successes and on refusals', async () => {
    const token = await merchant.sessionToken()
    for (const path of [token, `${token}/data`, 'f'.repeat(64)]) {
      const response = await from(path, service.formUrl)
      equal(acao(response), service.formUrl)
      match(response.headers.get('vary') ?? '', /origin/i)
      equal(response.headers.get('access-control-allow-credentials'), null)
    }
  })

  for (const origin of ['https://evil.example', 'null', 'https://shop.example', 'http://127.0.0.1:1']) {
    test(`${origin} gets no Access-Control-Allow-Origin`, async () => {
      const token = await merchant.sessionToken()
      for (const path of [token, `${token}/data`]) equal(acao(await from(path, origin)), null)
      const preflight = await from(`${token}/pay`, origin, { method: 'OPTIONS' })
      equal(acao(preflight), null)
    })
  }

  for (const [path, method] of [
    ['', 'GET'],
    ['/data', 'GET'],
    ['/customer', 'POST'],
    ['/pay', 'POST'],
  ] as const) {
    test(`the form’s preflight of ${method} {token}${path} is answered`, async () => {
      const token = await merchant.sessionToken()
      const asks = { 'access-control-request-method': method, 'access-control-request-headers': 'content-type' }
      const response = await from(`${token}${path}`, service.formUrl, { method: 'OPTIONS', headers: asks })
      equal(response.status, 204)
      deepEqual(
        ['origin', 'methods', 'headers'].map((name) => response.headers.get(`access-control-allow-${name}`)),
        [service.formUrl, method, 'content-type'],
      )
    })
  }

  test('server-only paths refuse pages: 403 origin_not_allowed, whatever the credential', async () => {
    const token = await merchant.sessionToken()
    const url = `${service.url}/api/${service.demo.business_id}/checkout/${token}/details`
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      const authorization = `Bearer ${service.demo.access_token}`
      const response = await send(url, { headers: { authorization, 'sec-fetch-site': site, origin: service.formUrl } })
      assertRefused(response, 403, 'origin_not_allowed')
      equal(acao(response), null)
    }
  })
})
