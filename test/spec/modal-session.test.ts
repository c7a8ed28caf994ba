import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { customerOf, storedCards } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// CHK-6, CHK-17, CHK-35.

const INPUT = { amount_total: 25.5, customer_email: 'ana@example.com' }
const ORIGIN = 'https://shop.example'

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  // In real time: two hundred concurrent payments take a while, and no gateway is silent.
  service = await openService({ timeScale: 1 })
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

const create = (input: object = {}, headers?: Record<string, string>) =>
  merchant.post('/rapid-checkout/create', { ...INPUT, ...input }, headers)

async function modalToken(input: object = {}): Promise<string> {
  const { status, body } = await create(input)
  equal(status, 200, JSON.stringify(body))
  return body.checkout_session.token
}

test('create responds with the documented fields, and a link of the modal', async () => {
  const response = await create()
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { ok, checkout_session: session } = response.body
  const { id, token, checkout_url, ui_mode, amount_total, currency } = session
  deepEqual(
    { ok, ui_mode, amount_total, currency },
    { ok: true, ui_mode: 'rapid', amount_total: 25.5, currency: 'USD' },
  )
  match(id, /^[0-9a-f-]{36}$/)
  match(token, /^[\w-]{64}$/)
  equal(checkout_url, `${service.formUrl}/customer/checkout-rapid/${token}`)
  const page = await fetch(checkout_url, { signal: AbortSignal.timeout(10_000) })
  equal(page.status, 200)
  match(page.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/shop\.example(;|$)/)
  await page.body?.cancel()
})

describe('create rules', () => {
  for (const [fields, input] of [
    [['amount_total'], { amount_total: undefined }],
    [['amount_total'], { amount_total: 0 }],
    [['amount_total'], { amount_total: 0.005 }],
    [['amount_total'], { amount_total: '25.50' }],
    [['customer_email'], { customer_email: undefined }],
    [['customer_email'], { customer_email: 'ana' }],
    [['currency'], { currency: 'EUR' }],
    [['amount_total'], { amount_subtotal: 25, amount_tax: 1 }],
    [['surcharge'], { surcharge: true }],
  ] as const)
    test(`${JSON.stringify(input)} is refused`, async () => {
      assertRefused(await create(input), 422, 'validation_failed', [...fields])
    })

  test('amounts that add up, and a currency of one’s own, are taken', async () => {
    const amounts = { amount_total: 23.5, amount_subtotal: 25, amount_tax: 1, amount_discount: 2.5 }
    const { body } = await create({ ...amounts, currency: 'CAD' })
    const { checkout_session } = (await merchant.details(body.checkout_session.token)).body
    const { amount_total, amount_subtotal, amount_tax, amount_discount, currency } = checkout_session
    deepEqual({ amount_total, amount_subtotal, amount_tax, amount_discount, currency }, { ...amounts, currency: 'CAD' })
  })

  test('rule 5: from the client’s page it is made, from another one it is refused', async () => {
    equal((await create({}, { origin: ORIGIN })).status, 200)
    for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null'])
      assertRefused(await create({}, { origin }), 422, 'origin_mismatch', ['origin'])
  })
})

test('details, variant 2: the session with its payer, and the transaction with a masked card', async () => {
  const token = await modalToken()
  const open = (await merchant.details(token)).body
  equal(open.transaction, null)
  const paid = await payer.pay(token)
  const { checkout_session: session, transaction } = (await merchant.details(token)).body
  const { session_status, payment_status, amount_total, currency, customer_email } = session
  deepEqual(
    { session_status, payment_status, amount_total, currency, customer_email },
    { session_status: 'COMPLETED', payment_status: 'PAID', ...INPUT, currency: 'USD' },
  )
  const { id, receipt_id, response_code, card, association } = transaction
  deepEqual(
    { id, receipt_id, response_code, card, association },
    {
      id: paid.body.result.recordID,
      receipt_id: paid.body.result.receiptID,
      response_code: 'AA',
      card: '424242******4242',
      association: 'Visa',
    },
  )
})

test('a card that pays in the modal is saved without being requested; one that is declined is not', async () => {
  const email = 'kept@example.com'
  const token = await modalToken({ customer_email: email })
  equal((await payer.pay(token, payBody(CARDS.declined))).body.ok, false)
  equal((await payer.pay(token)).body.ok, true)
  const customer = await customerOf(service, email)
  const cards = (await storedCards(service)).filter((card) => card.customer_id === customer?.id)
  deepEqual(
    cards.map(({ last4 }) => last4),
    ['4242'],
  )
})

test('200 modals at once are all paid, each once, and the books agree with the gateway', async () => {
  const number = (index: number) => `many-${index}@example.com`
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const token = await modalToken({ customer_email: number(index) })
      const paid = await payer.pay(token)
      const { checkout_session: session, transaction } = (await merchant.details(token)).body
      return [
        paid.body.ok,
        session.session_status,
        session.payment_status,
        transaction?.id === paid.body.result?.recordID,
      ]
    }),
  )
  equal(outcomes.length, 200)
  for (const outcome of outcomes) deepEqual(outcome, [true, 'COMPLETED', 'PAID', true])
  await assertSoundBooks(service)
})
