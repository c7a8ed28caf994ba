import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { revokeCardLinks } from '../../server/checkout/sessions/revoke-card-links.ts'
import { setChargeBlock } from '../../server/customers/billed-card-queries.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { businessOf } from '../support/business-of.ts'
import { CARDS } from '../support/card-numbers.ts'
import { replacementLinkOf } from '../support/customer-card-link.ts'
import { signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { eventsOf } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, VERIFIED_CARDS } from '../support/sign-up.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

// SUB-48: the link where the customer of a running subscription enters a different card.

const OTHER_CARD = CARDS.mastercard
let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const linkOf = (id: string) => replacementLinkOf(service, id)
const payWith = (token: string, card?: string) => payerOf(service).pay(token, payBody(card, {}, { amount: 25 }))
const cardOf = async (id: string) => (await api.get(`/subscriptions/${id}`)).body.payment_method as string

async function running(more: object = {}) {
  const subscriber = await makeSubscriber(service)
  return { subscriber, subscription: await api.made('/subscriptions', subscriptionBody(subscriber, { ...more })) }
}

describe('The card link of a subscription', () => {
  test('replaces the card by one that the customer enters, charges nothing and reports the change', async () => {
    const { subscription, subscriber } = await running()
    const token = await openedLink(await linkOf(subscription.id))
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
    const link = await linkOf(subscription.id)
    const token = await openedLink(link)
    equal((await payWith(token, OTHER_CARD)).body.ok, true)
    const first = await cardOf(subscription.id)
    const again = await openedLink(link)
    const { status, body } = await payWith(again, CARDS.visa)
    deepEqual([status, body.code], [400, 'session_completed'])
    equal(await cardOf(subscription.id), first)
    await service.app.services.db
      .updateTable('checkout_session')
      .set({ expires_at: new Date(0) })
      .where('subscription_id', '=', subscription.id)
      .where('client_id', 'is', null)
      .execute()
    equal((await payWith(await openedLink(link), CARDS.visa)).body.ok, true)
  })

  test('is opened by several tabs as one session, which is used once', async () => {
    const { subscription } = await running()
    const { signUps, sessionTokens } = service.app.services
    const link = await linkOf(subscription.id)
    const place = sessionTokens.open(link.split('/').at(-1) ?? '')
    if (!place) throw new Error('the link has no place')
    const opened = await Promise.all(Array.from({ length: 8 }, () => signUps.openLink(place)))
    const ids = opened.map((link) => (link && 'session' in link ? link.session.id : null))
    deepEqual(
      [...new Set(ids)].map((id) => typeof id),
      ['string'],
    )
    const tokens = await Promise.all(Array.from({ length: 5 }, () => openedLink(link)))
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

  test('leaves the card as it is when the new one is declined, three times at most', async () => {
    const { subscription, subscriber } = await running()
    const token = await openedLink(await linkOf(subscription.id))
    for (let attempt = 1; attempt <= 3; attempt++) equal((await payWith(token, VERIFIED_CARDS.declined)).body.ok, false)
    equal((await payWith(token, OTHER_CARD)).body.code, 'session_failed')
    equal(await cardOf(subscription.id), subscriber.payment_method)
  })

  test('ends what forbade charges to the card that is entered again', async () => {
    const { subscription, subscriber } = await running()
    const { db } = service.app.services
    await setChargeBlock(db, service.demo.business_id, subscriber.payment_method, '46')
    const token = await openedLink(await linkOf(subscription.id))
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
    const token = await openedLink(await linkOf(subscription.id))
    equal((await payWith(token, OTHER_CARD)).body.ok, true)
    const other = await running()
    const link = await linkOf(other.subscription.id)
    const opened = await openedLink(link)
    await api.delete(`/subscriptions/${other.subscription.id}`)
    const page = await fetch(link, { redirect: 'manual' })
    match(await page.text(), /Link expired/)
    const late = await payWith(opened, OTHER_CARD)
    equal(late.body.code, 'session_cancelled')
  })

  test('CHK-142: lasts 30 days, and ends with the others when the links of the customer are revoked', async () => {
    const { subscription, subscriber } = await running()
    const [link, token] = [await linkOf(subscription.id), await openedLink(await linkOf(subscription.id))]
    await revokeCardLinks(service.app.services, {
      business: await businessOf(service),
      customerId: subscriber.customer,
    })
    deepEqual(
      [(await payWith(token, OTHER_CARD)).body.code, await cardOf(subscription.id)],
      ['session_cancelled', subscriber.payment_method],
    )
    const page = await fetch(link, { redirect: 'manual' })
    match(await page.text(), /Demo Shop cancelled this request to save a card/)
    const next = await linkOf(subscription.id)
    equal((await api.post('/test_clock/advance', { days: 31 })).status, 200)
    match(await (await fetch(next)).text(), /was valid for 30 days and has expired/)
    equal((await payWith(new URL(next).pathname.split('/').at(-1) ?? '', OTHER_CARD)).body.code, 'session_expired')
  })

  test('CHK-142: letters have links of their own, and say until when these are valid', async () => {
    const { subscription, subscriber } = await running()
    await api.patch(`/customers/${subscriber.customer}`, { email: `${subscriber.customer}@example.com` })
    const owner = await signIn(service)
    for (const key of [newId(), newId()])
      equal((await owner.call(`POST /subscriptions/${subscription.id}/link`, { key })).status, 200)
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letters = (await lettersOf(service)).filter(({ object_id: about }) => about === subscription.id)
    const sent = letters.filter(({ kind }) => kind === 'card_link')
    const urls = sent.map(({ body_text: text }) => /https?:\S+\/customer\/checkout\/[\w-]{64}/.exec(text)?.[0] ?? '')
    deepEqual([sent.length, new Set(urls).size], [2, 2])
    for (const { body_text: text } of sent) match(text, /The link is valid until .+ \d{4} at \d+:\d\d/)
    const { body } = await owner.call(`POST /subscriptions/${subscription.id}/show_link`)
    const { view } = (await owner.call(`GET /customers/${subscriber.customer}`)).body
    equal(view.card_links.count, 3)
    for (const url of [...urls, body.url]) equal((await fetch(url, { redirect: 'manual' })).status, 303)
    equal((await owner.call(`POST /customers/${subscriber.customer}/revoke_card_links`)).status, 200)
    for (const url of [...urls, body.url]) equal((await fetch(url, { redirect: 'manual' })).status, 200)
    equal((await owner.call(`POST /letters/${sent[0]?.id}/resend`)).status, 409)
  })
})
