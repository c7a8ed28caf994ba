import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cancelSession } from '../../server/checkout/sessions/cancel-session.ts'
import { addDays, billingDay, dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { CARDS } from '../support/card-numbers.ts'
import { payBody, payerOf, send } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { movableClock } from '../support/movable-clock.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, resolveAll, signedUp, VERIFIED_CARDS, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// SUB-3, SUB-41, SUB-42: the link of a subscription that waits for its card.

const ZONE = 'America/New_York'
const HOUR = 3_600

const clock = movableClock()
let service: TestService
let api: MerchantApiClient
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  api = merchantApiOf(service)
  payer = payerOf(service)
})
beforeEach(() => service.simulator.resetScript())
after(() => assertSoundBooks(service).finally(() => service.close()))

const now = () => clock.now()
const today = () => dayOf(now(), ZONE)
const retrieve = async (id: string) => (await api.get(`/subscriptions/${id}`)).body
const pay25 = (card: string = CARDS.visa) => payBody(card, {}, { amount: 25 })
/** Changes the time zone of the business, which the service caches for a second. */
async function moveBusiness(timeZone: string): Promise<void> {
  const { db } = service.app.services
  await db.updateTable('business').set({ time_zone: timeZone }).where('id', '=', service.demo.business_id).execute()
  clock.advance(2)
}
const rowsOf = async (op: 'sale' | 'verify' | 'void') => (await service.simulator.rows()).filter((row) => row.op === op)

describe('the link of a subscription that waits for its card', () => {
  test('SUB-3: is shown while it waits, the same in create, retrieve, list and event', async () => {
    const made = await waitingSubscription(api)
    match(made.checkout_url, new RegExp(`^${service.formUrl}/customer/checkout/[\\w-]{64}$`))
    equal((await retrieve(made.id)).checkout_url, made.checkout_url)
    const { body } = await api.get(`/subscriptions?customer=${made.customer}`)
    equal(body.data[0].checkout_url, made.checkout_url)
    const events = (await api.get('/events?type=subscription.created')).body.data
    equal(events[0]?.data.object.checkout_url, made.checkout_url)
  })

  test('SUB-41: the public session paths take the token of the link for that of its session', async () => {
    const made = await waitingSubscription(api)
    const link = made.checkout_url.split('/').at(-1)
    const { body: data } = await payer.data(link)
    deepEqual([data.status, data.checkout_session.amount_total], ['PENDING', 25])
    const token = await openedLink(made.checkout_url)
    const { body: own } = await payer.data(token)
    equal(own.checkout_session.id, data.checkout_session.id, 'one session')
    const { body: validity } = await payer.validate(link)
    match(validity.checkout_url, new RegExp(`/${token}$`))
    assertRefused(await payer.pay(link, payBody(CARDS.visa, {}, { amount: 24 })), 422, 'validation_failed')
    const { body: paid } = await payer.pay(link, pay25())
    equal(paid.ok, true, JSON.stringify(paid))
    equal((await retrieve(made.id)).status, 'active')
    assertRefused(await payer.pay(link, pay25()), 400, 'session_completed')
    const canceled = await waitingSubscription(api)
    await api.delete(`/subscriptions/${canceled.id}`)
    assertRefused(await payer.pay(canceled.checkout_url.split('/').at(-1), pay25()), 400, 'session_cancelled')
  })

  test('SUB-3, BIL-2: the schedule starts in the zone that the subscription began with', async (t) => {
    t.after(() => moveBusiness(ZONE))
    await moveBusiness('Pacific/Kiritimati')
    const made = await waitingSubscription(api)
    // The zones are 25 hours apart: it is never the same day in both.
    await moveBusiness('Pacific/Niue')
    const { body } = await payer.pay(await openedLink(made.checkout_url), pay25())
    equal(body.ok, true, JSON.stringify(body))
    const anchor = dayOf(now(), 'Pacific/Kiritimati')
    const object = await retrieve(made.id)
    const end = instantOf(billingDay(anchor, { interval: 'month', count: 1 }, 1), 'Pacific/Kiritimati')
    deepEqual([object.billing_cycle_anchor, object.next_billing_at], [anchor, end.getTime() / 1_000])
  })

  test('SUB-3: the customer enters a card, pays the first bill, and the subscription is active', async () => {
    const made = await waitingSubscription(api, { installments: 3, tax_rate: 10 })
    const token = await openedLink(made.checkout_url)
    const { body: data } = await payer.data(token)
    const session = data.checkout_session
    deepEqual([session.success_url, session.cancel_url, session.amount_total], [null, null, 27.5])
    deepEqual([session.subscription.installments, session.subscription.first_charge], [3, 27.5])
    deepEqual(session.line_items, [{ name: 'Gold plan', quantity: 1, unit_amount: 25, total: 25, image: null }])
    const paid = await payer.pay(token, payBody(CARDS.visa, {}, { amount: 27.5 }))
    deepEqual([paid.body.ok, paid.body.success_url], [true, null], JSON.stringify(paid.body))
    const object = await retrieve(made.id)
    deepEqual(
      [object.status, object.checkout_url, object.installments_billed, object.billing_cycle_anchor, object.amount],
      ['active', null, 1, today(), 2_750],
    )
    equal(object.latest_payment, paid.body.result.recordID)
    deepEqual(
      (await eventsOf(service, made.id)).map(({ type }) => type),
      ['subscription.created', 'subscription.activated'],
    )
    const [, activated] = await eventsOf(service, made.id)
    deepEqual(activated?.data.object, object)
    const { body: payments } = await api.get(`/subscriptions/${made.id}/payments`)
    deepEqual([payments.data.length, payments.data[0].tax_amount, payments.data[0].trigger], [1, 250, 'initial'])
    deepEqual(
      (await eventsOf(service, payments.data[0].id)).map(({ type }) => type),
      ['payment.succeeded'],
    )
    const again = await send(made.checkout_url)
    match(again.body, /data-state="paid"/)
  })

  test('BIL-26: the only installment completes it', async () => {
    const made = await waitingSubscription(api, { installments: 1 })
    equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    const object = await retrieve(made.id)
    deepEqual([object.status, object.installments_remaining, object.next_billing_at], ['completed', 0, null])
    deepEqual(
      (await eventsOf(service, made.id)).map(({ type }) => type),
      ['subscription.created', 'subscription.activated', 'subscription.completed'],
    )
  })

  test('SUB-3: the schedule begins on the day of the activation, and no elapsed period is billed', async () => {
    const made = await waitingSubscription(api)
    clock.advance(19 * 24 * HOUR)
    equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    const object = await retrieve(made.id)
    const next = billingDay(today(), { interval: 'month', count: 1 }, 1)
    deepEqual(
      [object.billing_cycle_anchor, object.installments_billed, object.next_billing_at],
      [today(), 1, instantOf(next, ZONE).getTime() / 1000],
    )
    notEqual(object.start_date, today())
  })

  test('SUB-3: with a later start the card is verified, and nothing is charged', async () => {
    const start_date = addDays(today(), 20)
    const made = await waitingSubscription(api, { start_date })
    const token = await openedLink(made.checkout_url)
    const sales = (await rowsOf('sale')).length
    deepEqual((await payer.pay(token, pay25(VERIFIED_CARDS.declined))).body.attempt_count, 1)
    const { body } = await payer.pay(token, pay25())
    const { recordID: _verification, ...result } = body.result
    deepEqual(result, { code: 'AA', receiptID: null, first_bill_date: start_date })
    equal((await rowsOf('sale')).length, sales)
    const object = await retrieve(made.id)
    deepEqual(
      [object.status, object.billing_cycle_anchor, object.installments_billed, object.latest_payment],
      ['active', start_date, 0, null],
    )
    notEqual(object.payment_method, null)
  })

  test('CHK-48: a surcharge is left out for a debit card, on every bill', async () => {
    const made = await waitingSubscription(api, { surcharge_rate: 2.4 })
    equal(made.amount, 2_560)
    const token = await openedLink(made.checkout_url)
    equal((await payer.data(token)).body.checkout_session.surcharge.amount, 0.6)
    equal((await payer.pay(token, pay25(CARDS.debit))).body.ok, true)
    const object = await retrieve(made.id)
    deepEqual([object.amount, object.surcharge_amount, object.surcharge_rate], [2_500, 0, 0])
    const other = await waitingSubscription(api, { surcharge_rate: 2.4 })
    const body = payBody(CARDS.visa, {}, { amount: 25.6 })
    equal((await payer.pay(await openedLink(other.checkout_url), body)).body.ok, true)
    const credit = await retrieve(other.id)
    deepEqual([credit.amount, credit.surcharge_amount, credit.surcharge_rate], [2_560, 60, 2.4])
  })

  test('SUB-41: it lives as long as the subscription waits; its sessions live 24 hours', async () => {
    const made = await waitingSubscription(api)
    const first = await openedLink(made.checkout_url)
    equal(await openedLink(made.checkout_url), first)
    clock.advance(25 * HOUR)
    assertRefused(await payer.pay(first, pay25()), 400, 'session_expired')
    clock.advance(30 * 24 * HOUR)
    const second = await openedLink(made.checkout_url)
    notEqual(second, first)
    equal((await payer.pay(second, pay25())).body.ok, true)
  })

  const ENDS = {
    'three declines': async (token: string) => {
      for (const _attempt of [1, 2, 3]) await payer.pay(token, pay25(CARDS.declined))
      assertRefused(await payer.pay(token, pay25()), 400, 'session_failed')
    },
    'a cancel by the merchant': (tokenOrId: string) =>
      cancelSession(service.app.services, { businessId: service.demo.business_id, reason: null, tokenOrId }),
  }
  for (const [what, end] of Object.entries(ENDS))
    test(`SUB-41: after ${what} the link shows a fresh form, as long as the subscription waits`, async () => {
      const made = await waitingSubscription(api)
      const token = await openedLink(made.checkout_url)
      await end(token)
      notEqual(await openedLink(made.checkout_url), token)
      equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    })

  test('SUB-41: while a payment is being resolved, no other session begins', async () => {
    const made = await waitingSubscription(api)
    const token = await openedLink(made.checkout_url)
    assertRefused(await payer.pay(token, pay25(CARDS.silentRecorded)), 400, 'gateway_timeout')
    clock.advance(25 * HOUR)
    equal(await openedLink(made.checkout_url), token)
    await resolveAll(service)
    equal((await retrieve(made.id)).status, 'pending_payment_method')
    notEqual(await openedLink(made.checkout_url), token)
  })

  test('two requests that open it at once open one session', async () => {
    const made = await waitingSubscription(api)
    const tokens = await Promise.all([1, 2, 3].map(() => openedLink(made.checkout_url)))
    equal(new Set(tokens).size, 1)
  })

  test('SUB-42: canceled while the page is open, nothing is charged and the page says so', async () => {
    const made = await waitingSubscription(api)
    const token = await openedLink(made.checkout_url)
    equal((await api.delete(`/subscriptions/${made.id}`)).body.checkout_url, null)
    const sales = (await rowsOf('sale')).length
    assertRefused(await payer.pay(token, pay25()), 400, 'session_cancelled')
    equal((await rowsOf('sale')).length, sales)
    const page = await send(`${service.formUrl}/customer/checkout/${token}`)
    match(page.body, /data-state="cancelled"/)
    match((await send(made.checkout_url)).body, /data-state="cancelled"/)
  })

  test('SUB-42: canceled before the link was ever opened, the page says so', async () => {
    const made = await waitingSubscription(api)
    await api.delete(`/subscriptions/${made.id}`)
    match((await send(made.checkout_url)).body, /data-state="cancelled"/)
  })

  test('SUB-42: canceled while the first bill is being charged, the sale is voided', async () => {
    const made = await waitingSubscription(api)
    const token = await openedLink(made.checkout_url)
    await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
    const paying = payer.pay(token, pay25())
    await new Promise((resolve) => setTimeout(resolve, 120))
    equal((await api.delete(`/subscriptions/${made.id}`)).status, 200)
    const response = await paying
    assertRefused(response, 400, 'session_cancelled')
    equal(response.body.charged, false)
    await resolveAll(service)
    equal((await retrieve(made.id)).status, 'canceled')
    deepEqual((await api.get(`/subscriptions/${made.id}/payments`)).body.data, [])
    const { subscription } = await signedUp(service, made.id)
    deepEqual([subscription.storedCardId, subscription.paidBills], [null, 0])
  })

  test('two tabs that pay at once charge once', async () => {
    const made = await waitingSubscription(api)
    const token = await openedLink(made.checkout_url)
    const responses = await Promise.all([payer.pay(token, pay25()), payer.pay(token, pay25())])
    equal(responses.filter(({ body }) => body.ok === true).length, 1)
    equal((await api.get(`/subscriptions/${made.id}/payments`)).body.data.length, 1)
  })

  test('CHK-51: a saved card of the customer may be chosen, and a second subscription shares it', async () => {
    const made = await waitingSubscription(api)
    equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    const { payment_method: cardId, customer, price } = await retrieve(made.id)
    const { body: other } = await api.post('/subscriptions', { customer, price })
    const token = await openedLink(other.checkout_url)
    equal((await payer.data(token)).body.saved_cards[0].id, cardId)
    const body = { payment_method_type: 'saved_card', amount: 25, cardId }
    equal((await payer.pay(token, body)).body.ok, true)
    equal((await retrieve(other.id)).payment_method, cardId)
  })

  test('a foreign or altered token of a link is unknown', async () => {
    const made = await waitingSubscription(api)
    const token = made.checkout_url.split('/').at(-1)
    assertRefused(
      await payer.pay(`${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`, pay25()),
      404,
      'not_found',
    )
    const altered = `${made.checkout_url.slice(0, -1)}${made.checkout_url.endsWith('A') ? 'B' : 'A'}`
    equal((await send(altered)).status, 404)
  })

  test('a subscription with a card has no link', async () => {
    const made = await waitingSubscription(api)
    equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    const { payment_method, customer, price } = await retrieve(made.id)
    const { body } = await api.post('/subscriptions', { customer, price, payment_method })
    equal(body.checkout_url, null)
  })
})
