import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { CARDS } from '../support/card-numbers.ts'
import { assertConflict, assertInvalid, lifecycleCalls } from '../support/lifecycle-calls.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { storeCard } from '../support/stored-card.ts'
import {
  createSubscribed,
  makeSubscribable,
  type Subscribable,
  storedSubscription,
  subscribed,
} from '../support/subscriptions.ts'

// SUB-47: the card of a subscription is replaced by POST /api/v1/subscriptions/{id} with `payment_method`.

const NOW = '2027-03-10T15:00:00Z'
const EMAIL = 'two-cards@example.com'
const PLACE = { address: { postalCode: '10001', line1: '1 Main Street', country: 'US', state: 'NY' } }

const clock = stillClock(NOW)
let service: TestService
let calls: ReturnType<typeof lifecycleCalls>
let offer: Subscribable
/** Cards of the same customer. */
let cards: Record<'other' | 'debit' | 'detached' | 'blocked' | 'expired', string>
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  calls = lifecycleCalls(service)
  const store = async (cardNumber: string, more = {}) =>
    (await storeCard(service, EMAIL, { cardNumber, ...more })).cardId
  const stored = await storeCard(service, EMAIL, PLACE)
  offer = { stored, priceId: (await makeSubscribable(service)).priceId }
  cards = {
    other: await store(CARDS.mastercard),
    debit: await store(CARDS.debit, PLACE),
    detached: await store(CARDS.amex, { cvv: '1234' }),
    blocked: await store('5105105105105100'),
    expired: await store('4012888888881881', { month: '03', year: 2027 }),
  }
  await calls.api.delete(`/payment_methods/${cards.detached}`)
  const { db } = service.app.services
  await db.updateTable('stored_card').set({ charge_block: 'NC' }).where('id', '=', cards.blocked).execute()
})
after(() => service.close())

const active = (given: Partial<Subscription> = {}) => subscribed(service, offer, '2027-03-01', given)
const replace = ({ id }: { id: string }, card: unknown, more: object = {}) =>
  calls.api.post(`/subscriptions/${id}`, { payment_method: card, ...more })

describe('Another card', () => {
  test('of an active subscription is charged by the next bill; nothing else changes', async () => {
    const one = await createSubscribed(service, offer)
    const { status, body } = await replace(one, cards.other)
    deepEqual([status, body], [200, { ...one, payment_method: cards.other }])
    const event = (await eventsOf(service, one.id)).at(-1)
    deepEqual(
      [event?.type, event?.data],
      ['subscription.updated', { object: body, previous_attributes: { payment_method: offer.stored.cardId } }],
    )
    clock.set('2027-04-10T15:00:00Z')
    await runDue(service.app.services)
    const [paid] = (await calls.api.get(`/subscriptions/${one.id}/payments`)).body.data
    deepEqual([paid.status, paid.trigger, paid.payment_method], ['succeeded', 'scheduled', cards.other])
    clock.set(NOW)
  })

  test('of a paused subscription makes its quote stale, and is charged by the resume', async () => {
    const one = await createSubscribed(service, offer)
    await calls.refunded(one)
    const { quote_hash } = (await calls.previewResume(one, 'now')).body
    equal((await replace(one, cards.other)).status, 200)
    assertMerchantRefused(await calls.resume(one, 'now', { quote_hash }), 409, 'quote_stale', 'quote_hash')
    const { quote_hash: fresh } = (await calls.previewResume(one, 'now')).body
    equal((await calls.resume(one, 'now', { quote_hash: fresh })).body.payment.payment_method, cards.other)
  })

  test('the same one again: 200, and nothing changes', async () => {
    const one = await active()
    equal((await replace(one, offer.stored.cardId)).status, 200)
    equal((await storedSubscription(service, one.id)).subscription.version, 1)
  })

  test('BIL-16: one that must not be surcharged ends the surcharge', async () => {
    await setBusiness(service, { country: 'US', province: 'NY' })
    const surcharged = { surchargeRatePpm: 20_000, surchargeAmount: 25, amount: 1_259 } as Partial<Subscription>
    const one = await active(surcharged)
    const { body } = await replace(one, cards.debit)
    deepEqual([body.surcharge_rate, body.surcharge_amount, body.amount], [0, 0, 1234])
    const { body: still } = await replace(one, offer.stored.cardId)
    deepEqual([still.surcharge_rate, still.amount], [0, 1234])
  })
})

describe('Refused', () => {
  for (const name of ['detached', 'blocked', 'expired'] as const) {
    test(`a ${name} card: 422 payment_method`, async () => {
      const one = await active()
      if (name === 'expired') clock.set('2027-03-31T12:00:00Z')
      if (name === 'expired') clock.advance(86_400)
      assertInvalid(await replace(one, cards[name]), 'payment_method')
      clock.set(NOW)
      equal((await storedSubscription(service, one.id)).subscription.version, 1)
    })
  }

  for (const card of [5, true, {}, 'x']) {
    test(`${JSON.stringify(card)}: 422 payment_method`, async () => {
      assertInvalid(await replace(await active(), card), 'payment_method')
    })
  }

  for (const card of [null, '', ' ']) {
    test(`${JSON.stringify(card)}, which gives none (API-24): 422, and the card stays`, async () => {
      const one = await active()
      assertInvalid(await replace(one, card), 'cancel_at_period_end')
      equal((await storedSubscription(service, one.id)).subscription.version, 1)
    })
  }

  test('a card of another customer, of another business, or nothing: 404 payment_method', async () => {
    const one = await active()
    const { stored } = await makeSubscribable(service)
    const { demo } = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
    const foreign = await storeCard({ ...service, demo }, 'x@example.com')
    for (const card of [stored.cardId, foreign.cardId, one.id]) {
      assertMerchantRefused(await replace(one, card), 404, 'resource_missing', 'payment_method')
    }
    equal((await storedSubscription(service, one.id)).subscription.version, 1)
  })

  test('together with cancel_at_period_end: 422; nothing at all: 422', async () => {
    const one = await active()
    assertInvalid(await replace(one, cards.other, { cancel_at_period_end: true }), 'payment_method')
    assertInvalid(await calls.api.post(`/subscriptions/${one.id}`, {}), 'cancel_at_period_end')
    equal((await storedSubscription(service, one.id)).subscription.version, 1)
  })

  for (const status of ['pending_payment_method', 'completed', 'canceled'] as const) {
    test(`of a ${status} subscription: 409`, async () =>
      assertConflict(await replace(await active({ status }), cards.other)))
  }

  test('of another business: 404', async () => {
    const one = await active()
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    const response = await other.post(`/subscriptions/${one.id}`, { payment_method: cards.other })
    assertMerchantRefused(response, 404, 'resource_missing', 'id')
  })
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
