import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { payBody } from '../support/merchant.ts'
import { customerOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'
import { type ShopCustomers, savingBody, shopCustomersOf } from '../support/shop-customers.ts'
import { CREATES } from '../support/shop-page.ts'
import { storeCard } from '../support/stored-card.ts'

// Only the merchant's server decides who pays: with its access token, or by binding a browser token. Data from a page
// or a form are in typed-customer.test.ts.

const ORIGIN = 'https://shop.example'

let service: TestService
let shop: ShopCustomers
before(async () => {
  service = await openService()
  shop = shopCustomersOf(service)
})
after(() => service.close())

describe('a browser token that is bound to a customer', () => {
  for (const path of CREATES) {
    test(`${path}: by id, whatever the page sends, and when it sends nothing`, async () => {
      const { customerId, cardId } = await storeCard(service, `bound-id${path.length}@example.com`)
      const other = await storeCard(service, `other-id${path.length}@example.com`)
      for (const input of [
        {},
        { customer_email: 'mallory@example.com' },
        { customer_id: other.customerId },
        { customer_email: undefined },
      ]) {
        const token = await shop.fromPage({ customer_id: customerId }, path, input)
        const { customer_id, customer_named_by } = await shop.details(token)
        deepEqual([customer_id, customer_named_by], [customerId, 'merchant'], JSON.stringify(input))
        const { body } = await shop.payer.data(token)
        deepEqual(
          body.saved_cards.map(({ id }: { id: string }) => id),
          [cardId],
        )
        equal(JSON.stringify(body).includes('mallory'), false)
      }
    })

    test(`${path}: by email, whatever the page sends, and when it sends nothing`, async () => {
      const email = `bound-email${path.length}@example.com`
      const { customerId } = await storeCard(service, email)
      for (const input of [{}, { customer_email: 'mallory@example.com' }, { customer_email: undefined }]) {
        const token = await shop.fromPage({ customer_email: email.toUpperCase() }, path, input)
        deepEqual(
          [(await shop.details(token)).customer_email, (await shop.details(token)).customer_id],
          [email.toUpperCase(), null],
        )
        deepEqual((await shop.payer.data(token)).body.saved_cards, [], 'an email shows no cards')
        const paid = await shop.payer.pay(
          token,
          Object.keys(input).length === 0 ? savingBody(CARDS.mastercard) : payBody(CARDS.visa),
        )
        equal(paid.body.ok, true, JSON.stringify(paid.body))
        equal((await shop.details(token)).customer_id, customerId)
        equal(await customerOf(service, 'mallory@example.com'), undefined)
      }
      ok(
        (await shop.cardsOf(customerId)).some(({ brand }) => brand === 'mastercard'),
        'cards are saved',
      )
    })
  }

  test('both: the id wins', async () => {
    const { customerId } = await storeCard(service, 'both@example.com')
    const token = await shop.fromPage(
      { customer_id: customerId, customer_email: 'elsewhere@example.com' },
      '/checkout/create',
    )
    equal((await shop.details(token)).customer_id, customerId)
    equal((await shop.payer.pay(token)).body.ok, true)
    equal((await shop.details(token)).customer_id, customerId)
    equal(await customerOf(service, 'elsewhere@example.com'), undefined)
  })

  test('an unknown id: 404; a malformed one: 422; the same for the email', async () => {
    const make = (binding: object) => shop.merchant.post('/browser-tokens', { origin: ORIGIN, ...binding })
    const nobody = { customer_id: '0197f9b0-0000-7000-8000-000000000000' }
    assertRefused(await make(nobody), 404, 'not_found', ['customer_id'])
    for (const customer_id of ['me', 7, {}])
      assertRefused(await make({ customer_id }), 422, 'validation_failed', ['customer_id'])
    for (const customer_email of ['ana', 7])
      assertRefused(await make({ customer_email }), 422, 'validation_failed', ['customer_email'])
  })

  test('null and a blank text bind to nobody: the page must name a customer by email, and cannot by id', async () => {
    const { customerId } = await storeCard(service, 'blank-binding@example.com')
    for (const blank of ['', ' ', null]) {
      const token = await shop.browserToken({ customer_id: blank, customer_email: blank })
      const named = await shop.create(token, '/checkout/create', { customer_id: customerId })
      assertRefused(named, 422, 'validation_failed', ['customer_id'])
      const unnamed = await shop.create(token, '/checkout/create', { customer_email: undefined })
      assertRefused(unnamed, 422, 'validation_failed', ['customer_email'])
    }
  })
})

describe('a browser token that is not bound', () => {
  for (const path of CREATES) {
    test(`${path}: customer_id is refused, known or not, and no use is counted`, async () => {
      const { customerId } = await storeCard(service, `victim${path.length}@example.com`)
      const token = await shop.browserToken({ max_uses: 1 })
      for (const input of [
        { customer_id: customerId },
        { customer_id: '0197f9b0-0000-7000-8000-000000000000' },
        { customer_id: customerId, customer_email: undefined },
      ])
        assertRefused(await shop.create(token, path, input), 422, 'validation_failed', ['customer_id'])
      equal((await shop.create(token, path)).status, 200)
    })

    test(`${path}: without an email it is refused`, async () => {
      const response = await shop.create(await shop.browserToken(), path, { customer_email: undefined })
      assertRefused(response, 422, 'validation_failed', ['customer_email'])
    })
  }
})

describe('a customer whom the merchant’s server named', () => {
  for (const path of CREATES)
    test(`${path}: an email of the server is not overruled by the payer’s`, async () => {
      const named = `named${path.length}@example.com`
      const victim = await shop.knownCustomer(`overruled${path.length}@example.com`)
      const token = await shop.fromServer(path, { customer_email: named })
      const typed = { name: 'Mallory', email: victim.before.customer?.email, phone: '5551234567' }
      equal((await shop.payer.customer(token, typed)).status, 200)
      equal((await shop.payer.pay(token, savingBody(CARDS.mastercard))).body.ok, true)
      const customer = await customerOf(service, named)
      deepEqual([customer?.name === 'Mallory', customer?.phone], [false, null])
      equal((await shop.details(token)).customer_id, customer?.id)
      equal((await shop.cardsOf(customer?.id ?? '')).length, 1, 'and its card is saved')
      deepEqual(await victim.everything(), victim.before)
    })

  test('the payer may give a name and a phone to that same email', async () => {
    const token = await shop.fromServer('/checkout/create', { customer_email: 'Same@example.com' })
    await shop.payer.customer(token, { name: 'Her Name', email: 'same@EXAMPLE.com', phone: '5551234567' })
    await shop.payer.pay(token)
    const customer = await customerOf(service, 'same@example.com')
    deepEqual([customer?.email, customer?.name, customer?.phone], ['Same@example.com', 'Her Name', '5551234567'])
  })

  test('the modal’s automatic saving needs a server that named the customer', async () => {
    const saved = async (token: string, email: string) => {
      equal((await shop.payer.pay(token)).body.ok, true)
      const customer = await customerOf(service, email)
      return (await shop.cardsOf(customer?.id ?? '')).length
    }
    const byServer = { customer_email: 'modal-server@example.com' }
    equal(await saved(await shop.fromServer('/rapid-checkout/create', byServer), byServer.customer_email), 1)
    const byToken = { customer_email: 'modal-token@example.com' }
    equal(await saved(await shop.fromPage(byToken, '/rapid-checkout/create'), byToken.customer_email), 1)
    const byPage = { customer_email: 'modal-page@example.com' }
    equal(await saved(await shop.fromPage({}, '/rapid-checkout/create', byPage), byPage.customer_email), 0)
  })

  test('a modal session may be bound by id; an unknown id is 404', async () => {
    const { customerId, cardId } = await storeCard(service, 'modal-bound@example.com')
    const token = await shop.fromServer('/rapid-checkout/create', {
      customer_id: customerId,
      customer_email: undefined,
    })
    equal((await shop.payer.data(token)).body.saved_cards[0].id, cardId)
    const nobody = { amount_total: 25.5, customer_id: '0197f9b0-0000-7000-8000-000000000000' }
    assertRefused(await shop.merchant.post('/rapid-checkout/create', nobody), 404, 'not_found', ['customer_id'])
  })
})
