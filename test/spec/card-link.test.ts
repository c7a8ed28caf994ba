import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setChargeBlock } from '../../server/customers/billed-card-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { moveCardLink } from '../../server/subscriptions/sign-up/card-link-queries.ts'
import { CARDS } from '../support/card-numbers.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { eventsOf } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, VERIFIED_CARDS } from '../support/sign-up.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

// SUB-48: the link where the customer of a running subscription enters another card.

const OTHER_CARD = CARDS.mastercard
let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  api = merchantApiOf(service)
})
after(() => service.close())

const linkOf = (id: string) => service.app.services.cardLink({ businessId: service.demo.business_id, id })
const payWith = (token: string, card?: string) => payerOf(service).pay(token, payBody(card, {}, { amount: 25 }))
const cardOf = async (id: string) => (await api.get(`/subscriptions/${id}`)).body.payment_method as string

async function running(more: object = {}) {
  const subscriber = await makeSubscriber(service)
  return { subscriber, subscription: await api.made('/subscriptions', subscriptionBody(subscriber, { ...more })) }
}

describe('The card link of a subscription', () => {
  test('replaces the card by one that the customer enters, charges nothing and reports the change', async () => {
    const { subscription, subscriber } = await running()
    const token = await openedLink(linkOf(subscription.id))
    const { body } = await payWith(token, OTHER_CARD)
    equal(body.ok, true, JSON.stringify(body))
    const changed = (await api.get(`/subscriptions/${subscription.id}`)).body
    equal(changed.payment_method === subscriber.payment_method, false)
    deepEqual({ ...changed, payment_method: subscriber.payment_method }, subscription)
    const updates = await eventsOf(service, subscription.id)
    const [event] = updates.filter(({ type }) => type === 'subscription.updated')
    deepEqual(event?.data, { object: changed, previous_attributes: { payment_method: subscriber.payment_method } })
    const payments = await service.app.services.db
      .selectFrom('payment')
      .select('id')
      .where('subscription_id', '=', subscription.id)
      .execute()
    equal(payments.length, 1)
  })

  test('was used: it leads to the same session until that is over, then to the next', async () => {
    const { subscription } = await running()
    const token = await openedLink(linkOf(subscription.id))
    equal((await payWith(token, OTHER_CARD)).body.ok, true)
    const first = await cardOf(subscription.id)
    const again = await openedLink(linkOf(subscription.id))
    const { status, body } = await payWith(again, CARDS.visa)
    deepEqual([status, body.code], [400, 'session_completed'])
    equal(await cardOf(subscription.id), first)
    await service.app.services.db
      .updateTable('checkout_session')
      .set({ expires_at: new Date(0) })
      .where('subscription_id', '=', subscription.id)
      .where('client_id', 'is', null)
      .execute()
    equal((await payWith(await openedLink(linkOf(subscription.id)), CARDS.visa)).body.ok, true)
  })

  test('is opened by several tabs as one session, which is used once', async () => {
    const { subscription } = await running()
    const { signUps, sessionTokens } = service.app.services
    const place = sessionTokens.open(linkOf(subscription.id).split('/').at(-1) ?? '')
    if (!place) throw new Error('the link has no place')
    const opened = await Promise.all(Array.from({ length: 8 }, () => signUps.openLink(place)))
    const ids = opened.map((link) => (link && 'session' in link ? link.session.id : null))
    deepEqual(
      [...new Set(ids)].map((id) => typeof id),
      ['string'],
    )
    const tokens = await Promise.all(Array.from({ length: 5 }, () => openedLink(linkOf(subscription.id))))
    const bodies = await Promise.all(tokens.map(async (token) => (await payWith(token, OTHER_CARD)).body))
    equal(bodies.filter(({ ok }) => ok).length, 1, JSON.stringify(bodies))
    const rows = await service.app.services.db
      .selectFrom('checkout_session')
      .select('id')
      .where('subscription_id', '=', subscription.id)
      .where('client_id', 'is', null)
      .execute()
    equal(rows.length, 1)
  })

  test('moves to one next session, whoever asks at the same time', async () => {
    const { db } = service.app.services
    const link = { businessId: service.demo.business_id, subscriptionId: newId() }
    const [first, second] = [newId(), newId()]
    const move = (from: string | null, to: string) => transaction(db, (tx) => moveCardLink(tx, link, { from, to }))
    const began = await Promise.all([move(null, first), move(null, first)])
    deepEqual(began.sort(), [false, true])
    const moved = await Promise.all([move(first, second), move(first, second), move(null, second)])
    deepEqual(moved.sort(), [false, false, true])
  })

  test('leaves the card as it is when the new one is declined, three times at most', async () => {
    const { subscription, subscriber } = await running()
    const token = await openedLink(linkOf(subscription.id))
    for (let attempt = 1; attempt <= 3; attempt++) equal((await payWith(token, VERIFIED_CARDS.declined)).body.ok, false)
    equal((await payWith(token, OTHER_CARD)).body.code, 'session_failed')
    equal(await cardOf(subscription.id), subscriber.payment_method)
  })

  test('ends what forbade charges to the card that is entered again', async () => {
    const { subscription, subscriber } = await running()
    const { db } = service.app.services
    await setChargeBlock(db, service.demo.business_id, subscriber.payment_method, '46')
    const token = await openedLink(linkOf(subscription.id))
    equal((await payWith(token, CARDS.visa)).body.ok, true)
    equal(await cardOf(subscription.id), subscriber.payment_method)
    const card = await db
      .selectFrom('stored_card')
      .select('charge_block')
      .where('id', '=', subscriber.payment_method)
      .executeTakeFirst()
    equal(card?.charge_block, null)
  })

  test('works for a paused subscription, and says that it has expired for one that has ended', async () => {
    const { subscription } = await running()
    const { status } = await api.post(`/subscriptions/${subscription.id}/pause`, {
      unused_time_behavior: 'preserve_time',
    })
    equal(status, 200)
    const token = await openedLink(linkOf(subscription.id))
    equal((await payWith(token, OTHER_CARD)).body.ok, true)
    const other = await running()
    const opened = await openedLink(linkOf(other.subscription.id))
    await api.delete(`/subscriptions/${other.subscription.id}`)
    const page = await fetch(linkOf(other.subscription.id), { redirect: 'manual' })
    match(await page.text(), /Link expired/)
    const late = await payWith(opened, OTHER_CARD)
    equal(late.body.code, 'session_cancelled')
  })

  test('leads nowhere when its subscription does not exist', async () => {
    const page = await fetch(linkOf('01939000-0000-7000-8000-000000000001'), { redirect: 'manual' })
    equal(page.status, 404)
  })
})
