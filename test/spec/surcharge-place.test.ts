import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { customerOf, setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// A surcharge depends on the billing address of the card: in whichever field it is, for every way to pay, and later
// with the stored card. 2.4 % of 25.50 is 0.61.

const QUEBEC = { country: 'CA', postal_code: 'H2X 1Y4' }
const ONTARIO = { country: 'CA', postal_code: 'M5V 2T6' }
const WITH = 26.11
const WITHOUT = 25.5

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

const INPUT = { surcharge: true, amount_total: 25.5, customer_email: 'ana@example.com' }

/** How a session is created, and how it is paid. */
const WAYS = {
  hosted: (input: object) => merchant.sessionToken({ ...INPUT, ...input }),
  embedded: (input: object) => merchant.sessionToken({ ...INPUT, ui_mode: 'embedded', ...input }),
  modal: async (input: object) =>
    (await merchant.post('/rapid-checkout/create', { ...INPUT, ...input })).body.checkout_session.token as string,
}

async function assertPays(token: string, body: { amount?: number }, due: number) {
  const wrong = due === WITH ? WITHOUT : WITH
  const refused = await payer.pay(token, { ...body, amount: wrong })
  assertRefused(refused, 422, 'validation_failed', ['amount'])
  equal(refused.body.surcharge.total, due)
  equal((await payer.pay(token, { ...body, amount: due })).body.ok, true)
  equal((await merchant.details(token)).body.transaction.details.amount, due)
}

const typed = (address: object, more: object = {}) => payBody(CARDS.visa, { address }, more as never)

describe('Where the business or the money is Canadian, a surcharge needs a place outside Quebec', () => {
  before(async () => {
    await setBusiness(service, { surcharge_rate_bp: 240, country: 'CA', province: 'ON' })
    // Callers of the API see a setting after a second.
    await sleep(1_100)
  })

  for (const [way, open] of Object.entries(WAYS))
    for (const [what, body, due] of [
      ['no place', typed({}), WITHOUT],
      ['a line of an address', typed({ line1: '1 Main' }), WITHOUT],
      ['a country alone', typed({}, { billing_address: { country: 'CA' } }), WITHOUT],
      ['Quebec in cardData', typed({ postalCode: 'h2x1y4' }), WITHOUT],
      ['Ontario in cardData', typed({ postalCode: 'M5V 2T6' }), WITH],
      ['Quebec in billing_address', typed({}, { billing_address: QUEBEC }), WITHOUT],
      ['Quebec by its name', typed({}, { billing_address: { country: 'CA', state: 'Québec' } }), WITHOUT],
      ['Ontario in billing_address', typed({}, { billing_address: ONTARIO }), WITH],
      ['the United States', typed({}, { billing_address: { country: 'US', postal_code: '10001' } }), WITH],
      ['two places, one of them Quebec', typed({ postalCode: 'H2X 1Y4' }, { billing_address: ONTARIO }), WITHOUT],
      ['two places, the other Quebec', typed({ postalCode: 'M5V 2T6' }, { billing_address: QUEBEC }), WITHOUT],
      ['goods that go to Quebec', typed({ postalCode: 'M5V 2T6' }, { shipping_address: QUEBEC }), WITHOUT],
    ] as const)
      test(`${way}, ${what}: ${due}`, async () => {
        const email = `${way}-${what.replace(/\W/g, '-')}@example.com`
        await assertPays(await open({ customer_email: email }), body, due)
      })

  for (const [fields, due] of [
    [{}, WITHOUT],
    [{ country: 'CA', postal: 'J4B 5T7' }, WITHOUT],
    [{ country: 'CA', state_ca: 'QC' }, WITHOUT],
    [{ country: 'CA', postal: 'M5V 2T6' }, WITH],
    [{ country: 'US', postal: '10001' }, WITH],
  ] as const)
    test(`without JavaScript, ${JSON.stringify(fields)}: ${due}`, async () => {
      const token = await WAYS.hosted({})
      const amount = due.toFixed(2)
      const post = new URLSearchParams({
        cardnumber: CARDS.visa,
        exp: '12/31',
        cvc: '123',
        ccname: 'Ana Roy',
        amount,
        ...fields,
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const url = `${service.formUrl}/customer/checkout/${token}`
      match(String((await send(url, { method: 'POST', headers, body: String(post) })).body), /Payment approved/)
      equal((await merchant.details(token)).body.transaction.details.amount, due)
    })

  test('the question before the click knows the same', async () => {
    const ask = async (question: object) =>
      (await payer.surcharge(await WAYS.modal({}), { bin: '42424242', ...question })).body.surcharge.total
    equal(await ask({}), WITHOUT)
    equal(await ask({ country: 'CA' }), WITHOUT)
    equal(await ask(QUEBEC), WITHOUT)
    equal(await ask(ONTARIO), WITH)
    equal(await ask({ ...ONTARIO, shipping: QUEBEC }), WITHOUT)
  })
})

describe('A stored card keeps its place', () => {
  const PLACES = [
    ['cardData, Quebec', { address: { postalCode: 'H2X 1Y4' } }, {}, WITHOUT],
    ['billing_address, Quebec', { address: {} }, { billing_address: QUEBEC }, WITHOUT],
    [
      'billing_address, Quebec by its name',
      { address: {} },
      { billing_address: { country: 'CA', state: 'QC' } },
      WITHOUT,
    ],
    ['both, one of them Quebec', { address: { postalCode: 'M5V 2T6' } }, { billing_address: QUEBEC }, WITHOUT],
    ['both, the other Quebec', { address: { postalCode: 'H2X 1Y4' } }, { billing_address: ONTARIO }, WITHOUT],
    ['cardData, Ontario', { address: { postalCode: 'M5V 2T6' } }, {}, WITH],
    ['billing_address, Ontario', { address: {} }, { billing_address: ONTARIO }, WITH],
    ['billing_address, the United States', { address: {} }, { billing_address: { country: 'US' } }, WITH],
    ['nothing', { address: {} }, {}, WITHOUT],
  ] as const

  async function saveCard(way: keyof typeof WAYS, email: string, card: object, more: object) {
    const token = await WAYS[way]({ surcharge: undefined, customer_email: email })
    equal((await payer.pay(token, payBody(CARDS.visa, { saveCard: true, ...card }, more as never))).body.ok, true)
    const customer = await customerOf(service, email)
    if (!customer) throw new Error('No customer')
    return customer.id
  }

  async function assertLater(customerId: string, due: number) {
    for (const way of ['hosted', 'embedded'] as const) {
      const token = await WAYS[way]({ customer_email: undefined, customer_id: customerId })
      const [saved] = (await payer.data(token)).body.saved_cards
      equal(saved.surcharge_applies, due === WITH)
      equal((await payer.surcharge(token, { cardId: saved.id })).body.surcharge.total, due)
      await assertPays(token, { payment_method_type: 'saved_card', cardId: saved.id } as never, due)
    }
  }

  for (const way of ['hosted', 'modal'] as const)
    for (const [what, card, more, due] of PLACES)
      test(`${way}, ${what}: ${due}`, async () => {
        const email = `kept-${way}-${what.replace(/\W/g, '-')}@example.com`
        await assertLater(await saveCard(way, email, card, more), due)
      })

  test('a new place replaces it, and a payment without one does not', async () => {
    const email = 'moved@example.com'
    const id = await saveCard('modal', email, { address: {} }, { billing_address: QUEBEC })
    await saveCard('modal', email, { address: {} }, {})
    await assertLater(id, WITHOUT)
    await saveCard('modal', email, { address: {} }, { billing_address: ONTARIO })
    await assertLater(id, WITH)
    await saveCard('modal', email, { address: {} }, {})
    await assertLater(id, WITH)
  })
})

describe('An American business and its dollars', () => {
  before(async () => {
    await setBusiness(service, { country: 'US', province: null })
    await sleep(1_100)
  })

  test('an unknown place is not in Quebec', async () => assertPays(await WAYS.hosted({}), typed({}), WITH))
  test('Quebec is', async () => assertPays(await WAYS.modal({}), typed({}, { billing_address: QUEBEC }), WITHOUT))

  test('a Canadian card without a province may be in Quebec', async () =>
    assertPays(await WAYS.hosted({}), typed({}, { billing_address: { country: 'CA' } }), WITHOUT))

  test('the modal’s page asks for country and postal code only when it has a surcharge', async () => {
    const fields = async (surcharge: boolean) => {
      const token = await WAYS.modal({ surcharge })
      const { body } = await send(`${service.formUrl}/customer/checkout-rapid/${token}`)
      return ['country', 'postal'].map((name) => String(body).includes(`name="${name}"`))
    }
    deepEqual(
      [await fields(true), await fields(false)],
      [
        [true, true],
        [false, false],
      ],
    )
  })
})
