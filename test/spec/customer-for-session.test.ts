import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { customerOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-39. Whose payment it is then: who-names-the-customer.test.ts.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

const ANA = { name: 'Ana Roy', email: 'ana@example.com' }
const name = async (body: object) => payer.customer(await merchant.sessionToken(), body)

const TABLE = {
  name: {
    good: ['A', '😀'.repeat(255), 'مرحبا'],
    bad: [undefined, null, '', 1, {}, 'n'.repeat(256), 'a\nb', 'a\u0000b'],
  },
  email: {
    good: ['one@example.com', "o'hara+x@mail.example.co.uk"],
    bad: [
      undefined,
      null,
      '',
      1,
      'ana',
      'ana@',
      'ana@example',
      'a@b.example,c@d.example',
      `${'a'.repeat(65)}@b.example`,
    ],
  },
  phone: {
    good: [undefined, null, '5551234567', '123456789012345', '+15551234567'],
    bad: [5551234567, '123456789', '1234567890123456', '555-123-4567', '555 1234567', '٥٥٥١٢٣٤٥٦٧'],
  },
}

for (const [field, { good, bad }] of Object.entries(TABLE)) {
  describe(field, () => {
    for (const value of good) {
      test(`${JSON.stringify(value)?.slice(0, 40)} is taken`, async () => {
        const { status, body } = await name({ ...ANA, [field]: value })
        equal(status, 200)
        equal(body.customer[field], value ?? null)
      })
    }
    for (const value of bad) {
      test(`${JSON.stringify(value)?.slice(0, 40)} is refused`, async () => {
        assertRefused(await name({ ...ANA, [field]: value }), 422, 'validation_failed', [field])
      })
    }
  })
}

test('blanks around are taken off, and a blank phone is not given (API-24)', async () => {
  const { body } = await name({ name: ' Ana Roy ', email: ' ana@example.com ', phone: ' ' })
  deepEqual([body.customer.name, body.customer.email, body.customer.phone], [ANA.name, ANA.email, null])
  equal((await name({ ...ANA, phone: ' 5551234567 ' })).body.customer.phone, '5551234567')
  for (const field of ['name', 'email'])
    assertRefused(await name({ ...ANA, [field]: ' ' }), 422, 'validation_failed', [field])
})

test('what was typed is repeated, and a new customer is made when the session is paid', async () => {
  const token = await merchant.sessionToken({ customer_email: 'new@example.com' })
  const response = await payer.customer(token, { name: 'New One', email: 'new@example.com', phone: '5551234567' })
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { ok, message, customer, ...more } = response.body
  deepEqual({ ok, more }, { ok: true, more: {} })
  match(message, /\S/)
  const { id, ...given } = customer
  deepEqual(given, { name: 'New One', email: 'new@example.com', phone: '5551234567' })
  equal(await customerOf(service, 'new@example.com'), undefined)
  equal((await merchant.details(token)).body.checkout_session.customer_id, null)

  await payer.pay(token, { ...payBody(), customerId: id })
  const made = await customerOf(service, 'new@example.com')
  deepEqual([made?.name, made?.phone], ['New One', '5551234567'])
  notEqual(made?.id, id)
  equal((await merchant.details(token)).body.checkout_session.customer_id, made?.id)
})

test('a known e-mail, in any case, gets the response of a new one, and its customer stays unchanged', async () => {
  const stored = { name: 'Stored Name', email: 'Known@Example.com', phone: '5551234567' }
  const made = await merchantApiOf(service).made('/customers', stored)
  const { body } = await name({ name: 'Typed Name', email: 'known@example.COM' })
  deepEqual(Object.keys(body), ['ok', 'message', 'customer'])
  notEqual(body.customer.id, made.id)
  deepEqual([body.customer.name, body.customer.phone], ['Typed Name', null])
  deepEqual((await merchantApiOf(service).get(`/customers/${made.id}`)).body, made)
})

test('a session that the merchant bound keeps its customer', async () => {
  const made = await merchantApiOf(service).made('/customers', { ...ANA, email: 'bound@example.com' })
  const token = await merchant.sessionToken({ customer_id: made.id })
  const { body } = await payer.customer(token, { name: 'Mallory', email: 'mallory@example.com' })
  notEqual(body.customer.id, made.id)
  equal((await payer.pay(token, { ...payBody(), customerId: body.customer.id })).body.ok, true)
  equal(await customerOf(service, 'mallory@example.com'), undefined)
  equal((await merchant.details(token)).body.checkout_session.customer_id, made.id)
})

test('card data has no place here: 422', async () => {
  const response = await name({ ...ANA, cardNumber: CARDS.visa })
  assertRefused(response, 422, 'raw_card_data_not_supported', ['cardNumber'])
})
