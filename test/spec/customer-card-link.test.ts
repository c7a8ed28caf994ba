import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newCustomerCardLink } from '../../server/checkout/sessions/customer-card-link.ts'
import {
  insertCustomerCardLinks,
  moveCustomerCardLink,
} from '../../server/checkout/sessions/customer-card-link-queries.ts'
import { setChargeBlock } from '../../server/customers/billed-card-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, VERIFIED_CARDS } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'

// CHK-60: the link where a customer stores a card, with or without a subscription.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const linkOf = (customerId: string) => cardLinkOf(service, customerId)
const payWith = (token: string, card?: string, of = {}) => payerOf(service).pay(token, payBody(card, of, { amount: 0 }))
const cardsOf = async (customerId: string): Promise<{ id: string; card: { last4: string; exp_year: number } }[]> =>
  (await api.get(`/payment_methods?customer=${customerId}`)).body.data
const customer = async () => (await api.made('/customers', { name: 'Ana Roy' })).id as string
const sessionsOf = (customerId: string) =>
  service.app.services.db
    .selectFrom('checkout_session')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('mode', '=', 'setup')
    .execute()

describe('The card link of a customer', () => {
  test('stores a card that the customer enters, charges nothing, and the card pays from then on', async () => {
    const id = await customer()
    const token = await openedLink(await linkOf(id))
    const { body } = await payWith(token)
    equal(body.ok, true, JSON.stringify(body))
    const [card] = await cardsOf(id)
    deepEqual([card?.card.last4, body.result], ['4242', { code: 'AA', recordID: card?.id, receiptID: null }])
    const { db } = service.app.services
    deepEqual(await db.selectFrom('operation').select('id').where('customer_id', '=', id).execute(), [])
    const sold = await sellTo(service, { customerId: id, cardId: card?.id ?? '' })
    equal(sold.body.ok, true, JSON.stringify(sold.body))
  })

  test('tells the gateway that the card is kept for charges to come', async () => {
    const id = await customer()
    equal((await payWith(await openedLink(await linkOf(id)), CARDS.discover)).body.ok, true)
    const last = (await service.simulator.rows()).filter(({ op }) => op === 'verify').at(-1)
    deepEqual(
      [last?.amount, last?.storedCredential],
      [0, { initiator: 'cardholder', reason: 'unscheduled', initial: true }],
    )
  })

  test('is a session of mode setup: its details, its list and its events say what was done', async () => {
    const id = await customer()
    const token = await openedLink(await linkOf(id))
    const open = await payerOf(service).data(token)
    const { mode, amount_total, subscription } = open.body.checkout_session
    deepEqual([mode, amount_total, subscription, open.body.saved_cards], ['setup', 0, null, []])
    await payWith(token)
    const { body } = await merchantOf(service).details(token)
    const { checkout_session: session } = body
    deepEqual(
      [session.mode, session.session_status, session.payment_status, session.customer_id, body.transaction],
      ['setup', 'COMPLETED', 'PAID', id, null],
    )
    const [card] = await cardsOf(id)
    deepEqual(
      (await eventsOf(service, session.id)).map(({ type }) => type),
      ['checkout.session.completed'],
    )
    deepEqual(
      (await eventsOf(service, card?.id ?? '')).map(({ type }) => type),
      ['payment_method.attached'],
    )
  })

  test('takes no other amount, no card on file and no wallet', async () => {
    const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`)
    const token = await openedLink(await linkOf(customerId))
    const wrong = await payerOf(service).pay(token, payBody(CARDS.visa, {}, { amount: 1 }))
    deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['amount']])
    const saved = await payerOf(service).pay(token, savedCardBody(cardId, { amount: 0 }))
    deepEqual([saved.status, Object.keys(saved.body.errors)], [422, ['payment_method_type']])
    const wallet = { payment_method_type: 'google_pay', amount: 0, googlePayToken: '{}' }
    deepEqual(Object.keys((await payerOf(service).pay(token, wallet)).body.errors), ['payment_method_type'])
  })

  test('no payment has the amount 0', async () => {
    const created = await merchantOf(service).createSession({ amount_total: 0 })
    deepEqual([created.status, Object.keys(created.body.errors)], [422, ['amount_total']])
    const setup = await merchantOf(service).createSession({ mode: 'setup' })
    deepEqual([setup.status, Object.keys(setup.body.errors)], [422, ['mode']])
    const paid = await payWith(await merchantOf(service).sessionToken())
    deepEqual([paid.status, Object.keys(paid.body.errors)], [422, ['amount']])
  })

  test('leaves nothing when the card is declined, three times at most', async () => {
    const id = await customer()
    const link = await linkOf(id)
    const token = await openedLink(link)
    for (let attempt = 1; attempt <= 3; attempt++) equal((await payWith(token, VERIFIED_CARDS.declined)).body.ok, false)
    equal((await payWith(token)).body.code, 'session_failed')
    equal((await payWith(await openedLink(link))).body.code, 'session_failed')
    deepEqual(await cardsOf(id), [])
    const [session] = await sessionsOf(id)
    deepEqual(
      (await eventsOf(service, session?.id ?? '')).map(({ type }) => type),
      ['checkout.session.failed'],
    )
  })

  test('stores no card that the policy of the business refuses (PAY-29)', async () => {
    const id = await customer()
    const token = await openedLink(await linkOf(id))
    await setBusiness(service, { cvv_policy: 'decline_mismatch' })
    const { body } = await payWith(token, CARDS.approvedCvvMismatch)
    await setBusiness(service, { cvv_policy: 'accept' })
    deepEqual([body.ok, body.code, await cardsOf(id)], [false, 'N7', []])
  })

  test('says that nothing was charged when the gateway does not respond, and takes the card after that', async () => {
    const id = await customer()
    const token = await openedLink(await linkOf(id))
    const silent = await payWith(token, VERIFIED_CARDS.silent)
    deepEqual([silent.status, silent.body.code, silent.body.charged], [400, 'gateway_unavailable', false])
    deepEqual([(await payWith(token)).body.ok, (await cardsOf(id)).length], [true, 1])
  })

  test('was used: it leads to the same session until that is over, then to the next', async () => {
    const id = await customer()
    const link = await linkOf(id)
    equal((await payWith(await openedLink(link))).body.ok, true)
    const { status, body } = await payWith(await openedLink(link), CARDS.mastercard)
    deepEqual([status, body.code, (await cardsOf(id)).length], [400, 'session_completed', 1])
    await service.app.services.db
      .updateTable('checkout_session')
      .set({ expires_at: new Date(0) })
      .where('customer_id', '=', id)
      .execute()
    equal((await payWith(await openedLink(link), CARDS.mastercard)).body.ok, true)
    equal((await cardsOf(id)).length, 2)
  })

  test('is opened by several tabs as one session, which stores one card', async () => {
    const id = await customer()
    const { signUps, sessionTokens } = service.app.services
    const link = await linkOf(id)
    const place = sessionTokens.open(link.split('/').at(-1) ?? '')
    if (!place) throw new Error('the link has no place')
    await Promise.all(Array.from({ length: 8 }, () => signUps.openLink(place)))
    equal((await sessionsOf(id)).length, 1)
    const tokens = await Promise.all(Array.from({ length: 5 }, () => openedLink(link)))
    const numbers = [CARDS.visa, CARDS.mastercard, CARDS.amex, CARDS.discover, CARDS.debit]
    const code = (number: string | undefined) => (number === CARDS.amex ? { cvv: '1234' } : {})
    const bodies = await Promise.all(
      tokens.map(async (token, index) => (await payWith(token, numbers[index], code(numbers[index]))).body),
    )
    const refused = bodies.filter(({ ok }) => !ok).map(({ code }) => code)
    deepEqual(
      refused,
      Array.from({ length: 4 }, () => 'session_completed'),
    )
    equal((await cardsOf(id)).length, 1)
  })

  test('moves to one next session, whoever asks at the same time', async () => {
    const { db } = service.app.services
    const link = newCustomerCardLink(
      { businessId: service.demo.business_id, customerId: newId(), subscriptionId: null },
      new Date(),
    )
    await transaction(db, (tx) => insertCustomerCardLinks(tx, [link]))
    const [first, second] = [newId(), newId()]
    const move = (from: string | null, to: string) =>
      transaction(db, (tx) => moveCustomerCardLink(tx, link, { from, to }))
    deepEqual((await Promise.all([move(null, first), move(null, first)])).sort(), [false, true])
    const moved = await Promise.all([move(first, second), move(first, second), move(null, second)])
    deepEqual(moved.sort(), [false, false, true])
  })

  test('a card that is entered again keeps its id, gets the new expiry, and what forbade charges to it ends', async () => {
    const stored = await storeCard(service, `${newId()}@example.com`)
    await setChargeBlock(service.app.services.db, service.demo.business_id, stored.cardId, '46')
    equal((await sellTo(service, stored)).status, 422)
    const { body } = await payWith(await openedLink(await linkOf(stored.customerId)), CARDS.visa, { year: 2033 })
    deepEqual([body.ok, body.result.recordID], [true, stored.cardId])
    const [card] = await cardsOf(stored.customerId)
    deepEqual([card?.id, card?.card.exp_year], [stored.cardId, 2033])
    equal((await sellTo(service, stored)).body.ok, true)
  })

  test('leads nowhere under another business, and where no link was made', async () => {
    const link = await linkOf(await customer())
    match(link, /\/customer\/checkout\/[\w-]{64}$/)
    const { sessionTokens, customerCardLink } = service.app.services
    const { businessId, id } = sessionTokens.open(link.split('/').at(-1) ?? '') ?? { businessId: '', id: '' }
    const unknown = newCustomerCardLink({ businessId, customerId: newId(), subscriptionId: null }, new Date())
    for (const url of [customerCardLink(unknown), customerCardLink({ businessId: newId(), id })])
      equal((await fetch(url, { redirect: 'manual' })).status, 404)
  })

  test('TDS-8: with 3-D Secure the payer is authenticated, whatever the amount from which a payment needs it', async () => {
    await requireThreeDs(service, 100_000)
    const id = await customer()
    const token = await openedLink(await linkOf(id))
    equal((await payerOf(service).data(token)).body.three_ds.enabled, true)
    const refused = await payWith(token)
    deepEqual([refused.status, refused.body.code, await cardsOf(id)], [408, 'three_ds_expired', []])
    const { dsTransactionId } = await authenticated(service, { token, amount: 0 })
    equal((await payWith(token)).body.ok, true)
    const row = (await service.simulator.rows()).at(-1)
    deepEqual([row?.op, row?.threeDs], ['verify', { version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'present' }])
    const card = await service.app.services.db
      .selectFrom('stored_card')
      .select('ds_transaction_id')
      .where('customer_id', '=', id)
      .executeTakeFirst()
    equal(card?.ds_transaction_id, dsTransactionId)
    await dropThreeDs(service)
  })
})
