import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, SESSION } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { customerOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-15, and values that are stored as sent.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

const DAY_MS = 86_400_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('the response to a create', () => {
  test('is 200 with the documented envelope and nothing more', async () => {
    const response = await merchant.createSession()
    equal(response.status, 200)
    assertCommonHeaders(response)
    const { ok, message, status, checkout_session, transaction, ...more } = response.body
    deepEqual({ ok, status, transaction, more }, { ok: true, status: 'PENDING', transaction: null, more: {} })
    match(message, /\S/)
    equal(checkout_session.session_status, status)
  })

  test('has every field of the session, each of its kind', async () => {
    const { id, token, checkout_url, expires_at, ...session } = (await merchant.createSession()).body.checkout_session
    match(id, UUID)
    match(token, /^[\w-]{64}$/)
    equal(checkout_url, `${service.formUrl}/customer/checkout/${token}`)
    match(expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    deepEqual(session, {
      session_status: 'PENDING',
      payment_status: 'UNPAID',
      amount_total: 25.5,
      currency: 'USD',
      ui_mode: 'hosted',
      success_url: SESSION.success_url,
      cancel_url: SESSION.cancel_url,
    })
  })

  test('expires_at is 24 hours after creation', async () => {
    const { token } = (await merchant.createSession()).body.checkout_session
    const { created_at, expires_at } = (await merchant.details(token)).body.checkout_session
    equal(Date.parse(expires_at) - Date.parse(created_at), DAY_MS)
    equal(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, true)
  })

  test('an embedded session says so', async () => {
    const { ui_mode, checkout_url, token } = (await merchant.createSession({ ui_mode: 'embedded' })).body
      .checkout_session
    deepEqual([ui_mode, checkout_url], ['embedded', `${service.formUrl}/customer/checkout/${token}`])
  })

  test('the same request twice makes two sessions', async () => {
    const [one, two] = [await merchant.sessionToken(), await merchant.sessionToken()]
    notEqual(one, two)
  })

  test('unknown fields are ignored', async () => {
    const { status, body } = await merchant.createSession({ colour: 'red', id: 'mine', session_status: 'COMPLETED' })
    deepEqual([status, body.status, body.checkout_session.colour], [200, 'PENDING', undefined])
    match(body.checkout_session.id, UUID)
  })
})

describe('text is kept as it was sent', () => {
  const texts = ['☕️ 👩‍👩‍👧', 'مرحبا بالعالم', 'שלום 123', 'é ≠ é', `<b>"'&\\`, 'ﷺ', '\u202eabc']
  for (const text of texts) {
    test(JSON.stringify(text), async () => {
      const line_items = [{ name: text, quantity: 1, unit_amount: 25.5, total: 25.5 }]
      const given = { customer_name: text, description: text, client_reference_id: text, metadata: { [text]: text } }
      const { status, body } = await merchant.createSession({ ...given, line_items })
      equal(status, 200, JSON.stringify(body))
      const { token } = body.checkout_session
      const { checkout_session: details } = (await merchant.details(token)).body
      for (const [field, value] of Object.entries(given)) deepEqual(details[field], value, field)
      deepEqual(details.line_items, line_items)
      const { checkout_session: form } = (await payerOf(service).data(token)).body
      deepEqual([form.description, form.line_items[0].name], [text, text])
    })
  }

  test('blanks around names are taken off, and stay around other texts (API-24)', async () => {
    const text = '  spaces  '
    const line_items = [{ name: text, quantity: 1, unit_amount: 25.5, total: 25.5 }]
    const kept = { description: text, client_reference_id: text, metadata: { [text]: text } }
    const token = await merchant.sessionToken({ customer_name: text, line_items, ...kept })
    const { checkout_session: details } = (await merchant.details(token)).body
    for (const [field, value] of Object.entries(kept)) deepEqual(details[field], value, field)
    deepEqual([details.customer_name, details.line_items[0].name], ['spaces', 'spaces'])
  })

  test('metadata: texts, numbers and booleans stay what they are', async () => {
    const metadata = {
      text: '1',
      whole: 1,
      fraction: 0.1,
      negative: -2.5,
      yes: true,
      no: false,
      empty: '',
      many: 'a\nb',
    }
    const { token } = (await merchant.createSession({ metadata })).body.checkout_session
    deepEqual((await merchant.details(token)).body.checkout_session.metadata, metadata)
  })

  test('a wrong metadata value gets one message that says what is allowed', async () => {
    const { body } = await merchant.createSession({ metadata: { a: null } })
    deepEqual(body.errors, { 'metadata.a': ['must be a string, number or boolean'] })
    const long = await merchant.createSession({ metadata: { a: 'x'.repeat(501) } })
    deepEqual(long.body.errors, { 'metadata.a': ['must have at most 500 characters'] })
  })
})

describe('currency', () => {
  test('is the business’s when absent', async () => {
    equal((await merchant.createSession()).body.checkout_session.currency, 'USD')
  })

  test('CAD is charged as CAD', async () => {
    const { currency, token } = (await merchant.createSession({ currency: 'CAD' })).body.checkout_session
    equal(currency, 'CAD')
    equal((await payerOf(service).pay(token)).body.ok, true)
    const rows = await service.simulator.rows()
    deepEqual(
      rows.filter((row) => row.currency === 'CAD').map(({ amount }) => amount),
      [2550],
    )
  })
})

describe('customer', () => {
  test('a known e-mail is the known customer, whatever its case; an unknown one is created by the payment', async () => {
    const email = 'Known.Before@Example.com'
    const first = await merchant.sessionToken({ customer_email: email, customer_name: 'Known' })
    equal((await merchant.details(first)).body.checkout_session.customer_id, null)
    await payerOf(service).pay(first)
    const { customer_id: id } = (await merchant.details(first)).body.checkout_session
    match(id, UUID)
    const second = await merchant.sessionToken({ customer_email: email.toLowerCase() })
    await payerOf(service).pay(second)
    equal((await merchant.details(second)).body.checkout_session.customer_id, id)
  })

  test('both customer_id and customer_email: the id wins', async () => {
    const { id } = await merchantApiOf(service).made('/customers', { name: 'Bound', email: 'bound@example.com' })
    const token = await merchant.sessionToken({ customer_id: id, customer_email: 'other@example.com' })
    equal((await payerOf(service).pay(token, payBody())).body.ok, true)
    equal((await merchant.details(token)).body.checkout_session.customer_id, id)
    equal(await customerOf(service, 'other@example.com'), undefined)
  })
})

describe('raw card data', () => {
  const bodies: [field: string, body: object][] = [
    ['card', { card: CARDS.visa }],
    ['payment.number', { payment: { number: CARDS.visa } }],
    ['cardNumber', { cardNumber: CARDS.visa }],
    ['card_number', { card_number: CARDS.visa }],
    ['PAN', { PAN: CARDS.visa }],
    ['cvc', { cvc: '123' }],
    ['Cvv2', { Cvv2: 123 }],
    ['exp-month', { 'exp-month': 12 }],
    ['expiry', { expiry: null }],
    ['track2', { track2: '' }],
    ['payment.card', { payment: { details: 1, card: { cvv: '123' } } }],
    ['line_items.0.cvv', { line_items: [{ cvv: '123' }] }],
    ['metadata.cvv', { metadata: { cvv: '1' } }],
    ['metadata.note', { metadata: { note: '4242 4242 4242 4242' } }],
    ['metadata.note', { metadata: { note: 4242424242424242 } }],
  ]
  for (const [field, body] of bodies) {
    test(`${JSON.stringify(body)} is refused before anything else, and not repeated`, async () => {
      const response = await merchant.createSession({ ...body, amount_total: 'wrong' })
      assertRefused(response, 422, 'raw_card_data_not_supported', [field])
      const { request_id: _, ...said } = response.body
      equal(JSON.stringify(said).includes('4242'), false)
    })
  }

  test('what only looks alike is accepted: a reference of 16 digits, a number that fails Luhn', async () => {
    const metadata = { order: '4242424242424241', discard: 'x', note: '1234' }
    equal((await merchant.createSession({ metadata, client_reference_id: '1234567890123456' })).status, 200)
  })

  test('never reaches the log', () => {
    equal(/4242 ?4242 ?4242 ?4242/.test(service.logged()), false)
  })
})
