import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkPayRequest } from '../../server/checkout/pay/pay-request.ts'
import { paySession } from '../../server/checkout/pay/pay-session.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { responseOf } from '../../server/payments/charge/charged.ts'
import { createVault } from '../../server/vault/vault.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { customerOf, eventsOf, setBusiness, storedCards } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { savedCardBody, storeCard } from '../support/stored-card.ts'

// CUS-5: who is offered saved cards, and the effects of paying with one.

const DAY_SECONDS = 86_400

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const boundTo = (customerId: string) => merchant.sessionToken({ customer_email: undefined, customer_id: customerId })
const salesAtGateway = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale')

async function cardsOf(email: string) {
  const customer = await customerOf(service, email)
  return (await storedCards(service)).filter((card) => card.customer_id === customer?.id)
}

describe('a session that the merchant bound to a customer', () => {
  test('lists that customer’s cards, newest first', async () => {
    const { customerId, cardId } = await storeCard(service, 'list@example.com')
    const second = await storeCard(service, 'list@example.com', { cardNumber: CARDS.mastercard })
    const { body } = await payer.data(await boundTo(customerId))
    deepEqual(
      body.saved_cards.map((card: { id: string; brand: string; last4: string }) => [card.id, card.brand, card.last4]),
      [
        [second.cardId, 'mastercard', '4444'],
        [cardId, 'visa', '4242'],
      ],
    )
    equal(JSON.stringify(body).includes(CARDS.visa), false)
  })

  test('is paid with one of them', async () => {
    const { customerId, cardId } = await storeCard(service, 'pays@example.com')
    const token = await boundTo(customerId)
    const paid = await payer.pay(token, savedCardBody(cardId))
    deepEqual([paid.status, paid.body.ok, paid.body.result?.code], [200, true, 'AA'])
    const { status, transaction } = (await merchant.details(token)).body
    deepEqual([status, transaction.details.source, transaction.card], ['COMPLETED', 'saved_card', '424242******4242'])
    equal((await cardsOf('pays@example.com')).length, 1)
  })

  test('the gateway receives the cardholder, of the first approval’s network id, and no CVV', async () => {
    const { customerId, cardId } = await storeCard(service, 'network@example.com')
    const first = (await salesAtGateway()).at(-1)
    ok(first?.networkTransactionId)
    equal((await cardsOf('network@example.com'))[0]?.network_transaction_id, first.networkTransactionId)

    await payer.pay(await boundTo(customerId), savedCardBody(cardId))

    const row = (await salesAtGateway()).at(-1)
    deepEqual(row?.storedCredential, {
      initiator: 'cardholder',
      reason: 'unscheduled',
      initial: false,
      networkTransactionId: first.networkTransactionId,
    })
    deepEqual([first.cvvPresent, row?.cvvPresent ?? false], [true, false])
  })

  test('a declined stored card counts as an attempt like any other', async () => {
    const { customerId, cardId } = await storeCard(service, 'declined@example.com')
    const token = await boundTo(customerId)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    const { body } = await payer.pay(token, savedCardBody(cardId))
    deepEqual([body.ok, body.code, body.attempt_count], [false, 'ND', 1])
    equal((await payer.pay(token, savedCardBody(cardId))).body.ok, true)
  })

  test('another customer’s card, a detached one, and an unknown one: 404, and nothing is sent', async () => {
    const { customerId, cardId } = await storeCard(service, 'mine@example.com')
    const other = await storeCard(service, 'theirs@example.com')
    const token = await boundTo(customerId)
    const before = (await salesAtGateway()).length
    assertRefused(await payer.pay(token, savedCardBody(other.cardId)), 404, 'not_found', ['cardId'])
    assertRefused(await payer.pay(token, savedCardBody(customerId)), 404, 'not_found', ['cardId'])
    const { db } = service.app.services
    await db.updateTable('stored_card').set({ detached_at: new Date() }).where('id', '=', cardId).execute()
    assertRefused(await payer.pay(token, savedCardBody(cardId)), 404, 'not_found', ['cardId'])
    deepEqual((await payer.data(token)).body.saved_cards, [])
    equal((await salesAtGateway()).length, before)
  })

  test('saved_card without a cardId: 422', async () => {
    const { customerId } = await storeCard(service, 'without@example.com')
    const response = await payer.pay(await boundTo(customerId), savedCardBody('', { cardId: undefined }))
    assertRefused(response, 422, 'validation_failed', ['cardId'])
  })

  test('an expired card is shown as expired, and refused with 422', async () => {
    const { customerId, cardId } = await storeCard(service, 'expired@example.com', { month: '12', year: 2027 })
    await setBusiness(service, { clock_offset_seconds: 3 * 366 * DAY_SECONDS })
    try {
      // Created with the old clock, so that it has not expired itself: the database decides its own time.
      const token = await boundTo(customerId)
      const { db } = service.app.services
      await db
        .updateTable('checkout_session')
        .set({ expires_at: new Date('2040-01-01') })
        .where('customer_id', '=', customerId)
        .execute()
      const [card] = (await payer.data(token)).body.saved_cards
      deepEqual([card.id, card.expired], [cardId, true])
      assertRefused(await payer.pay(token, savedCardBody(cardId)), 422, 'validation_failed', ['cardId'])
    } finally {
      await setBusiness(service, { clock_offset_seconds: 0 })
    }
  })
})

test('a session by e-mail lists no cards, and a card id that was learnt elsewhere is a 404', async () => {
  const { cardId } = await storeCard(service, 'mail@example.com')
  const token = await merchant.sessionToken({ customer_email: 'mail@example.com' })
  deepEqual((await payer.data(token)).body.saved_cards, [])
  assertRefused(await payer.pay(token, savedCardBody(cardId)), 404, 'not_found', ['cardId'])
  await payer.customer(token, { name: 'Mal', email: 'mail@example.com' })
  assertRefused(await payer.pay(token, savedCardBody(cardId)), 404, 'not_found', ['cardId'])
  equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
})

describe('the modal', () => {
  const modal = async (email: string, card: Record<string, unknown> = {}) => {
    const { body } = await merchant.post('/rapid-checkout/create', { amount_total: 25.5, customer_email: email })
    return payer.pay(body.checkout_session.token, payBody(CARDS.visa, card))
  }

  test('stores the card silently, and reuses it silently', async () => {
    equal((await modal('modal@example.com')).body.ok, true)
    const [card] = await cardsOf('modal@example.com')
    ok(card)
    equal((await modal('modal@example.com', { saveCard: true })).body.ok, true)
    deepEqual(
      (await cardsOf('modal@example.com')).map(({ id }) => id),
      [card.id],
    )
  })

  test('a declined card is not stored', async () => {
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await modal('modal-declined@example.com')).body.ok, false)
    deepEqual(await cardsOf('modal-declined@example.com'), [])
  })
})

describe('after the master key was exchanged', () => {
  const OLD = Buffer.alloc(32, 7)
  const NEW = Buffer.alloc(32, 8)

  /** Pays with the service after its next start, with a new key before the old one. */
  async function payUnderNewKey(token: string, card: object) {
    const { services } = service.app
    const vault = createVault({ ...services, keyring: createKeyring([NEW, OLD]) })
    const body = checkPayRequest(payBody(CARDS.visa, { saveCard: true, ...card }))
    return responseOf(await paySession({ ...services, vault }, { token, body, ip: '127.0.0.1', locale: null }))
  }

  const session = (email: string) => merchant.sessionToken({ customer_email: email })

  test('the card that the customer has is still known: duplicate_card', async () => {
    await storeCard(service, 'exchanged@example.com')
    const token = await session('exchanged@example.com')
    const refusal = await payUnderNewKey(token, {}).catch((error: { code: string }) => error.code)
    equal(refusal, 'duplicate_card')
  })

  test('its new expiry is written on the same card', async () => {
    const { cardId } = await storeCard(service, 'renewed@example.com')
    equal((await payUnderNewKey(await session('renewed@example.com'), { month: '6', year: 2033 })).ok, true)
    deepEqual(
      (await cardsOf('renewed@example.com')).map(({ id, exp_month, exp_year }) => [id, exp_month, exp_year]),
      [[cardId, 6, 2033]],
    )
  })
})

describe('events', () => {
  const typesOf = async (id: string) => (await eventsOf(service, id)).map(({ type }) => type)

  test('a payment that makes the customer and stores the card records both, once', async () => {
    const { customerId, cardId } = await storeCard(service, 'New@example.com')
    const [made, ...moreMade] = await eventsOf(service, customerId)
    const [attached, ...moreAttached] = await eventsOf(service, cardId)
    deepEqual([moreMade, moreAttached], [[], []])
    const { created, ...customer } = made?.data.object ?? {}
    equal(made?.type, 'customer.created')
    deepEqual(customer, {
      id: customerId,
      object: 'customer',
      name: 'Ana Roy',
      email: 'New@example.com',
      phone: null,
      metadata: {},
    })
    ok(Number.isInteger(created))
    equal(attached?.type, 'payment_method.attached')
    const { created: attachedAt, ...method } = attached.data.object
    deepEqual(method, {
      id: cardId,
      object: 'payment_method',
      type: 'card',
      customer: customerId,
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031 },
      status: 'active',
    })
    equal(attachedAt, created)
  })

  test('a known customer and a known card record no event', async () => {
    const { customerId, cardId } = await storeCard(service, 'known@example.com')
    const again = await storeCard(service, 'known@example.com', { month: '1', year: 2034 })
    deepEqual(again, { customerId, cardId })
    deepEqual([await typesOf(customerId), await typesOf(cardId)], [['customer.created'], ['payment_method.attached']])
  })

  test('a declined payment makes neither', async () => {
    const counted = () =>
      service.app.services.db
        .selectFrom('event')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('type', 'in', ['customer.created', 'payment_method.attached'])
        .executeTakeFirstOrThrow()
    const before = await counted()
    const token = await merchant.sessionToken({ customer_email: 'nobody@example.com' })
    await payer.pay(token, payBody(CARDS.declined, { saveCard: true }))
    deepEqual(await counted(), before)
  })
})
