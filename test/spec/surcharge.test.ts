import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { customerOf, setBusiness, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// CHK-47 to CHK-50, PAG-26. 2.4 % of 25.50 is 0.612, so 0.61.

const NOT_CREDIT = [
  ['debit', CARDS.debit],
  ['debit', '5200828282828210'],
  ['prepaid', '5105105105105100'],
  ['unknown', '4111111111111111'],
] as const

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  await setBusiness(service, { surcharge_rate_bp: 240 })
  // Callers of the API see a setting after a second: see server/lib/ttl-cache.ts.
  await sleep(1_100)
})
after(() => service.close())
const surcharged = (input: object = {}) => merchant.sessionToken({ surcharge: true, ...input })

async function paidParts(token: string) {
  const { body } = await merchant.details(token)
  const { surcharge, amount_total } = body.checkout_session
  return { surcharge, amount_total, charged: body.transaction?.details.amount }
}

describe('A session with a surcharge', () => {
  test('charges a credit card the total with it, and the merchant reads both', async () => {
    const token = await surcharged()
    const paid = await payer.pay(token, payBody(CARDS.visa, {}, { amount: 26.11 }))
    equal(paid.body.ok, true)
    deepEqual(await paidParts(token), { surcharge: { rate: 2.4, amount: 0.61 }, amount_total: 25.5, charged: 26.11 })
    equal((await service.simulator.rows()).at(-1)?.amount, 2_611)
  })

  test('refuses another amount, names the right one and charges nothing', async () => {
    const token = await surcharged()
    const charges = (await service.simulator.rows()).length
    for (const amount of [25.5, 26.12, 26.1]) {
      const refused = await payer.pay(token, payBody(CARDS.visa, {}, { amount }))
      assertRefused(refused, 422, 'validation_failed', ['amount'])
      match(refused.body.message, /26\.11/)
      deepEqual(refused.body.surcharge, { applies: true, rate: 2.4, amount: 0.61, total: 26.11 })
    }
    equal((await service.simulator.rows()).length, charges)
    equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  })

  for (const [funding, number] of NOT_CREDIT)
    test(`never charges it on a card that is ${funding} (${number.slice(0, 6)})`, async () => {
      const token = await surcharged()
      const refused = await payer.pay(token, payBody(number, {}, { amount: 26.11 }))
      assertRefused(refused, 422, 'validation_failed', ['amount'])
      deepEqual(refused.body.surcharge, { applies: false, rate: 2.4, amount: 0, total: 25.5 })
      equal((await payer.pay(token, payBody(number))).body.ok, true)
      deepEqual(await paidParts(token), { surcharge: { rate: 2.4, amount: 0 }, amount_total: 25.5, charged: 25.5 })
    })

  for (const address of [
    { country: 'CA', postal_code: 'H2X 1Y4' },
    { country: 'CA', state: 'QC' },
    { postal_code: 'g1a1a1' },
  ])
    test(`never charges it to ${JSON.stringify(address)}`, async () => {
      const token = await surcharged()
      const body = payBody(CARDS.visa, { address: {} }, { billing_address: address })
      assertRefused(await payer.pay(token, { ...body, amount: 26.11 }), 422, 'validation_failed', ['amount'])
      equal((await payer.pay(token, body)).body.ok, true)
    })

  test('never charges it for a business of Quebec, and says so before the card is known', async () => {
    await setBusiness(service, { country: 'CA', province: 'QC' })
    const token = await surcharged()
    equal((await payer.data(token)).body.checkout_session.surcharge.applies, false)
    equal((await payer.pay(token)).body.ok, true)
    await setBusiness(service, { country: 'US', province: null })
  })

  test('a decline costs nothing, and the next attempt gets the same amount', async () => {
    const token = await surcharged()
    const declined = await payer.pay(token, payBody(CARDS.declined, {}, { amount: 26.11 }))
    equal(declined.body.code, 'ND')
    equal((await payer.pay(token, payBody(CARDS.visa, {}, { amount: 26.11 }))).body.ok, true)
  })

  test('is refused when a credit card could not pay it', async () => {
    assertRefused(await merchant.createSession({ surcharge: true, amount_total: 990_000 }), 422, 'validation_failed', [
      'surcharge',
    ])
  })
})

test('a session without one is the same for every card', async () => {
  const token = await merchant.sessionToken()
  deepEqual((await payer.surcharge(token, { bin: '42424242' })).body, { ok: true, surcharge: null })
  const refused = await payer.pay(token, payBody(CARDS.visa, {}, { amount: 26.11 }))
  deepEqual([refused.status, refused.body.surcharge], [422, undefined])
  equal((await payer.pay(token)).body.ok, true)
})

describe('POST /api/checkout/{token}/surcharge', () => {
  const due = { applies: true, rate: 2.4, amount: 0.61, total: 26.11 }
  const none = { applies: false, rate: 2.4, amount: 0, total: 25.5 }

  for (const [question, response] of [
    [{ bin: '42424242' }, due],
    [{ bin: '424242', country: 'CA', postal_code: 'M5V 2T6', state: 'ON' }, due],
    [{ bin: '40000566' }, none],
    [{ bin: '51051051' }, none],
    [{ bin: '41111111' }, none],
    [{ bin: '42424242', country: 'CA', postal_code: 'h2x1y4' }, none],
    [{ bin: '42424242', country: 'CA', state: 'QC' }, none],
  ] as const)
    test(`${JSON.stringify(question)}: ${response.applies ? 'applies' : 'does not'}`, async () => {
      const { status, body } = await payer.surcharge(await surcharged(), question)
      deepEqual([status, body], [200, { ok: true, surcharge: response }])
    })

  test('takes the first digits of a card and no more', async () => {
    const token = await surcharged()
    for (const bin of ['42424', '424242424', CARDS.visa, '4242 42', 424242])
      assertRefused(await payer.surcharge(token, { bin }), 422, 'validation_failed', ['bin'])
    assertRefused(await payer.surcharge(token, {}), 422, 'validation_failed', ['bin'])
    const whole = await payer.surcharge(token, { bin: '42424242', cardNumber: CARDS.visa })
    equal(whole.body.code, 'raw_card_data_not_supported')
  })

  test('treats a closed session like every path of it, and responds to an unknown token with 404', async () => {
    const token = await surcharged()
    await merchant.cancel(token)
    assertRefused(await payer.surcharge(token, { bin: '42424242' }), 400, 'session_cancelled')
    assertRefused(await payer.surcharge('0'.repeat(64), { bin: '42424242' }), 404, 'not_found')
  })
})

describe('A saved card', () => {
  async function save(number: string, email: string, postalCode: string) {
    const body = payBody(number, { saveCard: true, address: { postalCode } })
    await payer.pay(await merchant.sessionToken({ customer_email: email }), body)
    const customer = await customerOf(service, email)
    const card = (await storedCards(service)).find(({ customer_id }) => customer_id === customer?.id)
    if (!customer || !card) throw new Error('Not saved')
    return { customer, card }
  }

  for (const [what, number, postalCode, funding, applies] of [
    ['a credit card', CARDS.visa, '10001', 'credit', true],
    ['a debit card', CARDS.debit, '10001', 'debit', false],
    ['a credit card of Quebec', CARDS.mastercard, 'H2X 1Y4', 'credit', false],
  ] as const)
    test(`keeps what it draws on: ${what}`, async () => {
      const email = `card-${number.slice(-4)}@example.com`
      const { customer, card } = await save(number, email, postalCode)
      equal(card.funding, funding)
      const token = await surcharged({ customer_email: undefined, customer_id: customer.id })
      const { saved_cards } = (await payer.data(token)).body
      deepEqual([saved_cards[0].id, saved_cards[0].surcharge_applies], [card.id, applies])
      equal((await payer.surcharge(token, { cardId: card.id })).body.surcharge.applies, applies)
      const body = { payment_method_type: 'saved_card', cardId: card.id }
      const wrong = await payer.pay(token, { ...body, amount: applies ? 25.5 : 26.11 })
      assertRefused(wrong, 422, 'validation_failed', ['amount'])
      equal((await payer.pay(token, { ...body, amount: applies ? 26.11 : 25.5 })).body.ok, true)
      equal((await paidParts(token)).charged, applies ? 26.11 : 25.5)
    })

  test('of somebody else is not found', async () => {
    const { card } = await save('6011111111111117', 'else@example.com', '10001')
    assertRefused(await payer.surcharge(await surcharged(), { cardId: card.id }), 404, 'not_found')
  })
})

test('the books agree: every charge is its session and its surcharge', () => assertSoundBooks(service))
