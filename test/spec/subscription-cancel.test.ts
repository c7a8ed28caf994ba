import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { assertConflict, epoch, lifecycleCalls } from '../support/lifecycle-calls.ts'
import { send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import {
  makeSubscribable,
  type Subscribable,
  storedBills,
  storedSubscription,
  subscribed,
  unpaidSubscribed,
} from '../support/subscriptions.ts'

// SUB-12: cancel now.

const NOW = '2027-03-10T15:00:00Z'
/** The first of April in New York. */
const PERIOD_END = epoch('2027-04-01T04:00:00Z')

const clock = stillClock(NOW)
let service: TestService
let calls: ReturnType<typeof lifecycleCalls>
let offer: Subscribable
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  calls = lifecycleCalls(service)
  offer = await makeSubscribable(service)
})
beforeEach(() => clock.set(NOW))
after(() => service.close())

const active = (given: Partial<Subscription> = {}) => subscribed(service, offer, '2027-03-01', given)
const path = ({ id }: { id: string }) => `/subscriptions/${id}`

describe('Cancel now', () => {
  test('SUB-12: ends an active subscription, and nothing more is due', async () => {
    const one = await active()
    const { status, body } = await calls.cancel(one, { reason: 'Moved away' })
    equal(status, 200)
    deepEqual(
      [body.status, body.canceled_at, body.ended_at, body.next_billing_at, body.cancellation_details],
      ['canceled', epoch(NOW), epoch(NOW), null, { comment: null, reason: 'Moved away' }],
    )
    const { subscription } = await storedSubscription(service, one.id)
    deepEqual([subscription.dueAt, subscription.nextBillingDate, subscription.version], [null, null, 2])
    const [event, ...more] = await eventsOf(service, one.id)
    deepEqual([event?.type, event?.data.object, more], ['subscription.cancelled', body, []])
    deepEqual((event?.data as { previous_attributes?: object } | undefined)?.previous_attributes, {
      status: 'active',
      next_billing_at: PERIOD_END,
      canceled_at: null,
      ended_at: null,
      cancellation_details: null,
    })
  })

  for (const [name, init] of [
    ['without body and content type', {}],
    ['with an empty body', { headers: { 'content-type': 'application/json' } }],
    ['with an empty object', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['with a null reason', { headers: { 'content-type': 'application/json' }, body: '{"reason":null}' }],
    ['with a blank reason (API-24)', { headers: { 'content-type': 'application/json' }, body: '{"reason":""}' }],
  ] as const) {
    test(`is done ${name}`, async () => {
      const one = await active()
      const authorization = `Bearer ${service.demo.api_key}`
      const headers = { authorization, ...('headers' in init && init.headers) }
      const response = await send(`${service.url}/api/v1${path(one)}`, { method: 'DELETE', ...init, headers })
      deepEqual([response.status, response.body.status, response.body.cancellation_details], [200, 'canceled', null])
    })
  }

  for (const reason of ['Moved away\nto Lyon', 'x'.repeat(255)]) {
    test(`SUB-12: the reason is any text: ${JSON.stringify(reason).slice(0, 30)}`, async () => {
      const { status, body } = await calls.cancel(await active(), { reason })
      deepEqual([status, body.cancellation_details], [200, { comment: null, reason }])
    })
  }

  test('the reason may stand in the query, where no body can be sent; that of the body wins', async () => {
    const merchant = merchantApiOf(service)
    const [one, other, third] = [await active(), await active(), await active()]
    const { body } = await merchant.delete(`${path(one)}?reason=Too%20dear`)
    equal(body.cancellation_details.reason, 'Too dear')
    const { body: both } = await merchant.delete(`${path(other)}?reason=Query`, { reason: 'Body' })
    equal(both.cancellation_details.reason, 'Body')
    const refused = await merchant.delete(`${path(third)}?reason=4242%204242%204242%204242`)
    assertMerchantRefused(refused, 422, 'raw_card_data_not_supported', 'reason')
  })

  test('SUB-12: ends an open bill with its retries, and refunds nothing', async () => {
    const one = await unpaidSubscribed(service, offer, '2027-03-09')
    equal((await calls.cancel(one)).status, 200)
    const [bill] = await storedBills(service, one.id)
    deepEqual([bill?.status, bill?.closed_reason, bill?.next_attempt_at], ['CLOSED', 'canceled', null])
    equal((await storedSubscription(service, one.id)).bill, null)
  })

  test('of a paused subscription ends its pause', async () => {
    const one = await active()
    await calls.preserve(one)
    const { status, body } = await calls.cancel(one)
    deepEqual([status, body.status, body.pause, body.paused_at], [200, 'canceled', null, null])
    deepEqual(await calls.pauseStates(one), ['ended'])
  })

  test('of a subscription that waits for a card', async () => {
    const one = await active({ status: 'pending_payment_method', storedCardId: null, dueAt: null })
    deepEqual([(await calls.cancel(one)).body.status], ['canceled'])
  })

  test('wins over a scheduled cancel and a scheduled pause', async () => {
    const scheduled = await active()
    await calls.cancelAtEnd(scheduled)
    const { body } = await calls.cancel(scheduled)
    deepEqual([body.status, body.canceled_at, body.cancel_at_period_end], ['canceled', epoch(NOW), false])
    const pausing = await active()
    await calls.pauseAtEnd(pausing)
    deepEqual([(await calls.cancel(pausing)).body.pause], [null])
    deepEqual(await calls.pauseStates(pausing), ['ended'])
  })

  for (const status of ['canceled', 'completed'] as const) {
    test(`of a ${status} subscription: 409, nothing written`, async () => {
      const one = await active({ status })
      assertConflict(await calls.cancel(one))
      equal((await storedSubscription(service, one.id)).subscription.version, 1)
    })
  }
})

describe('Bad input', () => {
  let one: Subscription
  before(async () => {
    one = await active()
  })
  after(async () => equal((await storedSubscription(service, one.id)).subscription.version, 1))

  for (const [body, param] of [
    [{}, 'cancel_at_period_end'],
    [{ cancel_at_period_end: null }, 'cancel_at_period_end'],
    [{ cancel_at_period_end: 'true' }, 'cancel_at_period_end'],
    [{ cancel_at_period_end: 1 }, 'cancel_at_period_end'],
    [{ cancel_at_period_end: true, proration_behavior: 'always' }, 'proration_behavior'],
    [{ cancel_at_period_end: true, cancellation_details: 'x' }, 'cancellation_details'],
    [{ cancel_at_period_end: true, cancellation_details: { comment: 5 } }, 'cancellation_details.comment'],
    [
      { cancel_at_period_end: true, cancellation_details: { comment: 'x'.repeat(501) } },
      'cancellation_details.comment',
    ],
  ] as const) {
    test(`${JSON.stringify(body).slice(0, 80)}: 422 ${param}`, async () => {
      assertMerchantRefused(await calls.api.post(path(one), body), 422, 'parameter_invalid', param)
    })
  }

  for (const reason of [5, true, {}, 'a\u0000b', 'x'.repeat(256)]) {
    test(`the reason ${JSON.stringify(reason).slice(0, 30)}: 422 reason`, async () => {
      assertMerchantRefused(await calls.cancel(one, { reason }), 422, 'parameter_invalid', 'reason')
    })
  }

  test('card data: 422 raw_card_data_not_supported', async () => {
    assertMerchantRefused(await calls.cancel(one, { card: 'x' }), 422, 'raw_card_data_not_supported', 'card')
    const named = { cancel_at_period_end: true, cancellation_details: { comment: '4242 4242 4242 4242' } }
    assertMerchantRefused(
      await calls.api.post(path(one), named),
      422,
      'raw_card_data_not_supported',
      'cancellation_details.comment',
    )
  })

  test('the id of nothing, or of another business: 404', async () => {
    const nothing = newId()
    assertMerchantRefused(await calls.cancel({ id: nothing }), 404, 'resource_missing', 'id')
    assertMerchantRefused(await calls.cancelAtEnd({ id: nothing }), 404, 'resource_missing', 'id')
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    assertMerchantRefused(await other.delete(path(one)), 404, 'resource_missing', 'id')
    const body = { cancel_at_period_end: true }
    assertMerchantRefused(await other.post(path(one), body), 404, 'resource_missing', 'id')
  })
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
