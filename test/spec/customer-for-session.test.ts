import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { customerOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'

// Spec, «Customer-for-session input»; contract 4, `POST …/customer`.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
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
    good: [undefined, '5551234567', '123456789012345', '+15551234567'],
    bad: [null, '', 5551234567, '123456789', '1234567890123456', '555-123-4567', '555 1234567', '٥٥٥١٢٣٤٥٦٧'],
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

test('a new customer is created and becomes the session’s', async () => {
  const token = await merchant.sessionToken()
  const answer = await payer.customer(token, { name: 'New One', email: 'new@example.com', phone: '5551234567' })
  equal(answer.status, 200)
  assertCommonHeaders(answer)
  const { ok, message, customer, created, ...more } = answer.body
  deepEqual({ ok, created, more }, { ok: true, created: true, more: {} })
  match(message, /\S/)
  const { id, ...given } = customer
  deepEqual(given, { name: 'New One', email: 'new@example.com', phone: '5551234567' })
  equal((await customerOf(service, 'new@example.com'))?.id, id)
  equal((await merchant.details(token)).body.checkout_session.customer_id, id)
})

test('a known e-mail, in any case, is that customer, unchanged; nothing stored is told', async () => {
  const first = (await name({ name: 'Stored Name', email: 'Known@Example.com', phone: '5551234567' })).body
  const second = (await name({ name: 'Typed Name', email: 'known@example.COM' })).body
  deepEqual([second.customer.id, second.created], [first.customer.id, false])
  deepEqual(Object.keys(second).sort(), Object.keys(first).sort())
  deepEqual([second.customer.name, second.customer.phone], ['Typed Name', null])
  const stored = await customerOf(service, 'known@example.com')
  deepEqual([stored?.name, stored?.email, stored?.phone], ['Stored Name', 'Known@Example.com', '5551234567'])
})

test('ten at once make one customer', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => name({ ...ANA, email: 'at-once@example.com' })))
  equal(new Set(answers.map(({ body }) => body.customer.id)).size, 1)
  equal(answers.filter(({ body }) => body.created).length, 1)
})

test('a session that the merchant bound keeps its customer', async () => {
  const { customer } = (await name({ ...ANA, email: 'bound@example.com' })).body
  const token = await merchant.sessionToken({ customer_id: customer.id })
  const { body } = await payer.customer(token, { name: 'Mallory', email: 'mallory@example.com' })
  deepEqual([body.customer.id, body.created], [customer.id, false])
  equal(await customerOf(service, 'mallory@example.com'), undefined)
  equal((await merchant.details(token)).body.checkout_session.customer_id, customer.id)
})

test('the payer may correct the e-mail until the session is paid', async () => {
  const token = await merchant.sessionToken()
  const one = (await payer.customer(token, { ...ANA, email: 'typo@example.com' })).body.customer.id
  const two = (await payer.customer(token, { ...ANA, email: 'right@example.com' })).body.customer.id
  notEqual(one, two)
  await payer.pay(token)
  equal((await merchant.details(token)).body.checkout_session.customer_id, two)
})

test('card data has no place here: 422', async () => {
  const answer = await name({ ...ANA, cardNumber: '4242424242424242' })
  assertRefused(answer, 422, 'raw_card_data_not_supported', ['cardNumber'])
})
