import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { payBody, send } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { customerOf, eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { type ShopCustomers, savingBody, shopCustomersOf } from '../support/shop-customers.ts'
import { CREATES } from '../support/shop-page.ts'
import { savedCardBody, storeCard } from '../support/stored-card.ts'

// A typed e-mail address, in the shop's page or on the form, does not identify anyone.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let service: TestService
let api: MerchantApiClient
let shop: ShopCustomers
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  shop = shopCustomersOf(service)
})
after(() => service.close())

const customers = () => service.app.services.db.selectFrom('customer').selectAll().orderBy('id').execute()

/** Every way in which an e-mail address is typed and not set by the merchant's server. */
const TYPED: Record<string, (email: string) => Promise<string>> = {
  'in a page, for checkout': (email) => shop.fromPage({}, '/checkout/create', { customer_email: email }),
  'in a page, for the modal': (email) => shop.fromPage({}, '/rapid-checkout/create', { customer_email: email }),
  'on the form, over that of a page': async (email) => {
    const token = await shop.fromPage({}, '/checkout/create', { customer_email: 'typo@example.com' })
    equal((await shop.payer.customer(token, { name: 'Mallory', email, phone: '5551234567' })).status, 200)
    return token
  },
}

describe('an email that was typed', () => {
  let number = 0
  for (const [how, open] of Object.entries(TYPED)) {
    const fresh = () => `typed-${++number}@example.com`

    test(`${how}: before an approval nothing of a customer is written`, async () => {
      const known = await shop.knownCustomer(fresh())
      const written = await customers()
      for (const email of [known.before.customer?.email?.toUpperCase() ?? '', fresh()]) {
        const token = await open(email)
        await shop.payer.pay(token, payBody(CARDS.declined, { saveCard: true }))
        deepEqual([(await shop.details(token)).customer_id, await customers()], [null, written])
      }
      deepEqual(await known.everything(), known.before)
    })

    test(`${how}: a payment is added to the history of a known customer, and nothing else changes`, async () => {
      const email = fresh()
      const known = await shop.knownCustomer(email)
      const token = await open(email.toUpperCase())
      const { body } = await shop.payer.data(token)
      deepEqual([body.saved_cards, body.payment_methods.saved_card.enabled], [[], false])
      equal(JSON.stringify(body).includes(known.customerId), false)
      assertRefused(await shop.payer.pay(token, savedCardBody(known.cardId)), 404, 'not_found', ['cardId'])

      // A different card, the owner's card with a different expiry, and the stored card.
      equal((await shop.payer.pay(token, savingBody(CARDS.mastercard))).body.ok, true)
      const renewed = payBody(CARDS.visa, { saveCard: true, month: '1', year: 2034 })
      equal((await shop.payer.pay(await open(email), renewed)).body.ok, true)
      const again = await shop.payer.pay(await open(email), savingBody())
      equal(again.body.ok, true, 'no duplicate_card: who asks must not learn what is on file')

      deepEqual(await known.everything(), known.before)
      const { customer_id, customer_named_by } = await shop.details(token)
      deepEqual([customer_id, customer_named_by], [known.customerId, 'payer'])
      const row = await service.app.services.db
        .selectFrom('payment')
        .select('customer_id')
        .where('session_id', '=', (await shop.details(token)).id)
        .executeTakeFirst()
      equal(row?.customer_id, known.customerId)
    })

    test(`${how}: an unknown one becomes a customer with the payment, without a saved card`, async () => {
      const email = fresh()
      const token = await open(email)
      equal(await customerOf(service, email), undefined)
      equal((await shop.payer.pay(token, savingBody())).body.ok, true)
      const customer = await customerOf(service, email)
      ok(customer)
      equal((await shop.details(token)).customer_id, customer.id)
      deepEqual(await shop.cardsOf(customer.id), [])
      deepEqual(
        (await eventsOf(service, customer.id)).map(({ type }) => type),
        ['customer.created'],
      )
      const row = (await service.simulator.rows()).at(-1)
      equal(row?.storedCredential, undefined, 'the gateway is not told of a storing')
    })

    test(`${how}: a customer whom the merchant makes meanwhile is not changed`, async () => {
      const email = fresh()
      const token = await open(email)
      const made = await api.made('/customers', { name: 'Made By The Merchant', email })
      equal((await shop.payer.pay(token, savingBody())).body.ok, true)
      deepEqual((await api.get(`/customers/${made.id}`)).body, made)
      equal((await shop.details(token)).customer_id, made.id)
      deepEqual(await shop.cardsOf(made.id), [])
    })
  }

  test('what the payer typed into the form is stored with the customer that the payment creates', async () => {
    const token = await shop.fromPage({}, '/checkout/create')
    await shop.payer.customer(token, { name: 'New One', email: 'new-one@example.com', phone: '5551234567' })
    await shop.payer.pay(token)
    const customer = await customerOf(service, 'new-one@example.com')
    deepEqual([customer?.name, customer?.phone], ['New One', '5551234567'])
  })

  test('two payments at once of one unknown email make one customer', async () => {
    const email = 'two-at-once@example.com'
    const tokens = await Promise.all(
      Array.from({ length: 4 }, () => shop.fromPage({}, '/checkout/create', { customer_email: email })),
    )
    for (const { body } of await Promise.all(tokens.map((token) => shop.payer.pay(token, savingBody()))))
      equal(body.ok, true)
    const customer = await customerOf(service, email)
    const ids = await Promise.all(tokens.map(async (token) => (await shop.details(token)).customer_id))
    deepEqual(new Set(ids), new Set([customer?.id]))
    deepEqual(
      (await eventsOf(service, customer?.id ?? '')).map(({ type }) => type),
      ['customer.created'],
    )
  })
})

describe('POST …/customer', () => {
  const person = (email: string) => ({ name: 'Typed Name', email, phone: '5551234567' })

  test('known and unknown emails get the same response, with an id of the session’s own', async () => {
    const known = await shop.knownCustomer('answered@example.com')
    for (const open of [
      () => shop.fromServer('/checkout/create', { customer_email: 'answered@example.com' }),
      () => shop.fromServer('/checkout/create', { customer_id: known.customerId }),
      () => shop.fromPage({}, '/checkout/create'),
      () => shop.fromPage({}, '/rapid-checkout/create'),
    ]) {
      const token = await open()
      const ids = new Set<string>()
      for (const email of ['answered@example.com', 'ANSWERED@example.com', 'nobody-knows@example.com']) {
        const { status, body } = await shop.payer.customer(token, person(email))
        const { message, customer, ...rest } = body
        deepEqual([status, rest, Object.keys(body)], [200, { ok: true }, ['ok', 'message', 'customer']])
        match(message, /\S/)
        const { id, ...given } = customer
        deepEqual(given, person(email))
        match(id, UUID)
        notEqual(id, known.customerId)
        ids.add(id)
      }
      equal(ids.size, 1, 'one session has one id for its payer')
      const [own] = ids
      equal(await customerOf(service, 'nobody-knows@example.com'), undefined)
      await shop.payer.customer(token, person('answered@example.com'))
      equal((await shop.payer.pay(token, { ...payBody(), customerId: own })).body.ok, true)
    }
    deepEqual((await known.everything()).customer, known.before.customer)
  })

  test('the id of one session is refused in another, and the merchant’s is accepted in a bound session only', async () => {
    const { customerId } = await storeCard(service, 'whose@example.com')
    const token = await shop.fromPage({}, '/checkout/create')
    const byEmail = await shop.fromServer('/checkout/create', { customer_email: 'whose@example.com' })
    const bound = await shop.fromServer('/checkout/create', { customer_id: customerId })
    const { id } = (await shop.payer.customer(token, person('whose@example.com'))).body.customer
    for (const [session, customerId_] of [
      [byEmail, id],
      [bound, id],
      [token, customerId],
      [byEmail, customerId],
    ])
      assertRefused(await shop.payer.pay(session, { ...payBody(), customerId: customerId_ }), 404, 'not_found', [
        'customerId',
      ])
    equal((await shop.payer.pay(bound, { ...payBody(), customerId })).body.ok, true)
  })

  test('/data reveals nothing of the typed customer, and no id of the merchant', async () => {
    const { customerId } = await storeCard(service, 'shown@example.com')
    const token = await shop.fromPage({}, '/checkout/create', { customer_email: 'shown@example.com' })
    equal((await shop.payer.data(token)).body.customer, null)
    const { id } = (await shop.payer.customer(token, person('shown@example.com'))).body.customer
    const { customer } = (await shop.payer.data(token)).body
    deepEqual(customer, { id, name: null, email: null, phone: null })
    notEqual(id, customerId)
  })
})

describe('/data says whether the card can be saved, and the form offers it only then', () => {
  const BOX = /name="save_card"/
  const KEPT = /will be saved/i

  async function offered(token: string) {
    const { body } = await shop.payer.data(token)
    const rapid = body.checkout_session.ui_mode === 'rapid'
    const path = rapid ? 'checkout-rapid' : 'checkout'
    const page = String((await send(`${service.formUrl}/customer/${path}/${token}?locale=en`)).body)
    return [body.payment_methods.card.can_save, (rapid ? KEPT : BOX).test(page)]
  }

  for (const path of CREATES)
    test(path, async () => {
      const { customerId } = await storeCard(service, `offered${path.length}@example.com`)
      const no = [false, false]
      const yes = [true, true]
      deepEqual(await offered(await shop.fromPage({}, path)), no)
      const typed = await shop.fromPage({}, path)
      await shop.payer.customer(typed, { name: 'Ana', email: `offered${path.length}@example.com` })
      deepEqual(await offered(typed), no)
      deepEqual(await offered(await shop.fromPage({ customer_id: customerId }, path)), yes)
      deepEqual(await offered(await shop.fromPage({ customer_email: 'offer@example.com' }, path)), yes)
      deepEqual(await offered(await shop.fromServer(path, { customer_email: 'offer@example.com' })), yes)
      deepEqual(await offered(await shop.fromServer(path, { customer_id: customerId })), yes)
    })

  test('a post without JavaScript that ticks the box all the same is charged, and the card is not saved', async () => {
    const post = async (token: string) => {
      const fields = { cardnumber: CARDS.mastercard, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001' }
      const { body } = await send(`${service.formUrl}/customer/checkout/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, save_card: 'on', amount: '25.50' }).toString(),
      })
      match(String(body), /R[0-9A-Z]{10}/)
    }
    const cards = async (email: string) => shop.cardsOf((await customerOf(service, email))?.id ?? '')
    await post(await shop.fromPage({}, '/checkout/create', { customer_email: 'posted@example.com' }))
    deepEqual(await cards('posted@example.com'), [])
    await post(await shop.fromServer('/checkout/create', { customer_email: 'posted@example.com' }))
    equal((await cards('posted@example.com')).length, 1)
  })

  test('the email of a post without JavaScript is typed too: it is whom the payment is of, and shows nothing', async () => {
    const known = await shop.knownCustomer('form-email@example.com')
    const token = await shop.fromPage({}, '/checkout/create')
    const fields = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001' }
    await send(`${service.formUrl}/customer/checkout/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, email: 'form-email@example.com', save_card: 'on' }).toString(),
    })
    equal((await shop.details(token)).customer_id, known.customerId)
    deepEqual(await known.everything(), known.before)
  })
})
