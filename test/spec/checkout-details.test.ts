import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, SESSION, send } from '../support/merchant.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-35: the union of both variants.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('before an approval transaction is null', async () => {
  const token = await merchant.sessionToken()
  const response = await merchant.details(token)
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { ok, status, checkout_session, transaction } = response.body
  deepEqual([ok, status, transaction], [true, 'PENDING', null])
  deepEqual([checkout_session.session_status, checkout_session.payment_status], ['PENDING', 'UNPAID'])
})

test('details echo what was given', async () => {
  const given = {
    ...SESSION,
    amount_subtotal: 25,
    amount_tax: 1.5,
    amount_discount: 1,
    currency: 'CAD',
    customer_name: 'Ana Roy',
    ui_mode: 'embedded',
    mode: 'payment',
    description: 'Two cups',
    client_reference_id: 'order-7',
    metadata: { order: 7 },
    line_items: [{ name: 'Cup', quantity: 2, unit_amount: 12.5, total: 25, image: 'https://cdn.example/cup.png' }],
    discounts: [{ name: 'Spring', code: 'SPRING', amount: 1 }],
    billing_address_collection: 'required',
    shipping_address_collection: 'auto',
    consent_collection: { terms_of_service: 'required', promotions: 'auto' },
  }
  const token = await merchant.sessionToken(given)
  const { checkout_session: session } = (await merchant.details(token)).body
  for (const [field, value] of Object.entries(given)) deepEqual(session[field], value, field)
})

test('members that no schema knows are ignored at every depth: of the merchant, and of the payer (CHK-3)', async () => {
  const unknown = { unknown: 'ignored' }
  const address = { line1: '1 Main Street', city: 'New York', state: 'NY', postal_code: '10001', country: 'US' }
  const token = await merchant.sessionToken({
    ...unknown,
    line_items: [{ name: 'Tea', quantity: 1, unit_amount: 25.5, total: 25.5, ...unknown }],
    discounts: [{ amount: 1, ...unknown }],
    consent_collection: { promotions: 'auto', ...unknown },
  })
  const places = { billing_address: { ...address, ...unknown }, shipping_address: { ...address, ...unknown } }
  const paid = await payerOf(service).pay(token, payBody(CARDS.visa, unknown, { ...places, ...unknown }))
  equal(paid.body.ok, true)
  const { body } = await merchant.details(token)
  equal(JSON.stringify(body).includes('ignored'), false)
  const { billing_address, shipping_address } = body.checkout_session
  deepEqual([billing_address, shipping_address], [address, address])
})

test('and what became of it: counts, times, and null for what is not', async () => {
  const { body } = await merchant.createSession()
  const { checkout_session: session } = (await merchant.details(body.checkout_session.token)).body
  const { attempt_count, max_attempts, completed_at, canceled_at, subscription_id, consent, surcharge } = session
  deepEqual(
    { attempt_count, max_attempts, completed_at, canceled_at, subscription_id, consent, surcharge },
    {
      attempt_count: 0,
      max_attempts: 3,
      completed_at: null,
      canceled_at: null,
      subscription_id: null,
      consent: null,
      surcharge: null,
    },
  )
  for (const [field, value] of Object.entries(body.checkout_session)) deepEqual(session[field], value, field)
})

describe('a paid session', () => {
  let token: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads responses of any shape.
  let details: any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  let paid: any
  before(async () => {
    token = await merchant.sessionToken()
    paid = (await payerOf(service).pay(token)).body
    details = (await merchant.details(token)).body
  })

  test('variant 1: code, message, receiptID, transactionID and details', () => {
    const { code, message, receiptID, transactionID, details: inner } = details.transaction
    equal(code, 'AA')
    match(message, /\S/)
    match(receiptID, /^\S+$/)
    match(transactionID, UUID)
    const { issuer_reference, ...rest } = inner
    match(issuer_reference, /^\S+$/)
    deepEqual(rest, { association: 'Visa', amount: 25.5, source: 'new_card' })
  })

  test('variant 2: id, receipt_id, response_code, card and association', () => {
    const { id, receipt_id, response_code, card, association, transactionID, receiptID } = details.transaction
    deepEqual([id, receipt_id, response_code, association], [transactionID, receiptID, 'AA', 'Visa'])
    match(card, /^424242\D+4242$/)
    const { session_status, payment_status, amount_total, currency, customer_email } = details.checkout_session
    deepEqual(
      { session_status, payment_status, amount_total, currency, customer_email },
      {
        session_status: 'COMPLETED',
        payment_status: 'PAID',
        amount_total: 25.5,
        currency: 'USD',
        customer_email: 'ana@example.com',
      },
    )
  })

  test('its ids are those that the payer received', () => {
    const { recordID, receiptID } = paid.result
    deepEqual([details.transaction.transactionID, details.transaction.receiptID], [recordID, receiptID])
  })

  test('completed_at is set, and the customer that the payment made', () => {
    const { completed_at, created_at, customer_id } = details.checkout_session
    equal(Date.parse(completed_at) >= Date.parse(created_at), true)
    match(customer_id, UUID)
  })

  test('neither number nor CVV is anywhere', () => {
    equal(/4242424242424242|cvv|"123"/i.test(JSON.stringify(details)), false)
  })

  test('its id works like its token', async () => {
    const byId = await merchant.details(details.checkout_session.id)
    deepEqual(byId.body, details)
  })
})

for (const [number, association] of [
  [CARDS.mastercard, 'Mastercard'],
  ['6011111111111117', 'Discover'],
  [CARDS.amex, 'American Express'],
] as const) {
  test(`association of ${number} is ${association}`, async () => {
    const token = await merchant.sessionToken()
    await payerOf(service).pay(token, payBody(number, { cvv: association === 'American Express' ? '1234' : '123' }))
    const { transaction } = (await merchant.details(token)).body
    deepEqual([transaction.association, transaction.details.association], [association, association])
    match(transaction.card, new RegExp(`^${number.slice(0, 6)}\\D+${number.slice(-4)}$`))
  })
}

test('a declined session has counted and has no transaction', async () => {
  const token = await merchant.sessionToken()
  await payerOf(service).pay(token, payBody(CARDS.declined))
  const { checkout_session, transaction } = (await merchant.details(token)).body
  deepEqual([checkout_session.attempt_count, checkout_session.session_status, transaction], [1, 'PENDING', null])
})

describe('refusals', () => {
  const unknown = {
    'a token that nobody has': 'f'.repeat(64),
    'a malformed token': 'abc',
    'an id that nobody has': '0197f9b0-0000-7000-8000-000000000000',
    'a token of 101 characters': 'f'.repeat(101),
  }
  for (const [name, token] of Object.entries(unknown)) {
    test(`${name}: 404`, async () => assertRefused(await merchant.details(token), 404, 'not_found'))
  }

  test('a token in capitals: 404', async () => {
    const token = await merchant.sessionToken()
    assertRefused(await merchant.details(token.toUpperCase()), 404, 'not_found')
  })

  test('without an access token: 401', async () => {
    const token = await merchant.sessionToken()
    const response = await send(`${service.url}/api/${service.demo.business_id}/checkout/${token}/details`)
    assertRefused(response, 401, 'unauthenticated')
  })

  test('the session of another business: 404, by its token and by its id', async () => {
    const other = await secondMerchant(service)
    const { token, id } = (await merchant.createSession()).body.checkout_session
    assertRefused(await other.details(token), 404, 'not_found')
    assertRefused(await other.details(id), 404, 'not_found')
    equal((await merchant.details(token)).status, 200)
  })
})
