import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from '../support/subscriber.ts'

// API-10 to API-12, SUB-34: the lists of subscriptions and of their payments.

const UNKNOWN = '0199a3f2-7c58-7c32-8d07-000000000000'

let service: TestService
let ana: Subscriber
let bob: Subscriber
/** Ids, newest first. */
const ids: string[] = []
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  bob = await makeSubscriber(service)
  for (const [who, more] of [
    [ana, {}],
    [ana, { installments: 1 }],
    [bob, {}],
    [bob, { payment_method: undefined }],
    [ana, { installments: 2 }],
  ] as const)
    ids.unshift((await who.api.made('/subscriptions', subscriptionBody(who, more))).id)
  await ana.api.delete(`/subscriptions/${ids[4]}`)
})
after(() => service.close())

const listed = async (query: string) => {
  const { status, body } = await ana.api.get(`/subscriptions?${query}`)
  equal(status, 200, JSON.stringify(body))
  return { ids: body.data.map(({ id }: { id: string }) => id), has_more: body.has_more }
}
const at = (...places: number[]) => places.map((place) => ids[place])

describe('GET /api/v1/subscriptions', () => {
  test('has every subscription as it is retrieved, newest first', async () => {
    const { body } = await ana.api.get('/subscriptions')
    deepEqual([body.object, body.has_more], ['list', false])
    deepEqual(await listed(''), { ids, has_more: false })
    for (const one of body.data) deepEqual(one, (await ana.api.get(`/subscriptions/${one.id}`)).body)
  })

  test('filters by customer and by status, alone and together', async () => {
    deepEqual((await listed(`customer=${ana.customer}`)).ids, at(0, 3, 4))
    deepEqual((await listed('status=active')).ids, at(0, 2))
    deepEqual((await listed('status=completed')).ids, at(3))
    deepEqual((await listed('status=paused')).ids, [])
    deepEqual((await listed(`status=active&customer=${bob.customer}`)).ids, at(2))
    deepEqual((await listed(`customer=${UNKNOWN}`)).ids, [])
  })

  test('cancelled and incomplete are aliases', async () => {
    for (const status of ['canceled', 'cancelled']) deepEqual((await listed(`status=${status}`)).ids, at(4))
    for (const status of ['pending_payment_method', 'incomplete'])
      deepEqual((await listed(`status=${status}`)).ids, at(1))
  })

  test('pages in both directions, with and without a filter', async () => {
    deepEqual(await listed('limit=2'), { ids: at(0, 1), has_more: true })
    deepEqual(await listed(`limit=2&starting_after=${ids[1]}`), { ids: at(2, 3), has_more: true })
    deepEqual(await listed(`limit=2&starting_after=${ids[3]}`), { ids: at(4), has_more: false })
    deepEqual(await listed(`limit=2&ending_before=${ids[3]}`), { ids: at(1, 2), has_more: true })
    const ofAna = `customer=${ana.customer}&limit=1`
    deepEqual(await listed(ofAna), { ids: at(0), has_more: true })
    deepEqual(await listed(`${ofAna}&starting_after=${ids[0]}`), { ids: at(3), has_more: true })
    deepEqual(await listed(`${ofAna}&starting_after=${ids[3]}`), { ids: at(4), has_more: false })
  })

  test('refuses what it cannot read: 422 on the parameter', async () => {
    for (const [query, param] of [
      ['status=expired', 'status'],
      ['customer=ana', 'customer'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      [`starting_after=${UNKNOWN}`, 'starting_after'],
      [`starting_after=${ids[0]}&ending_before=${ids[0]}`, 'ending_before'],
    ] as const)
      assertMerchantRefused(await ana.api.get(`/subscriptions?${query}`), 422, 'parameter_invalid', param)
  })

  test('API-24: a blank parameter is one that is not given', async () => {
    const all = await ana.api.get('/subscriptions')
    deepEqual((await ana.api.get('/subscriptions?status=&customer=&limit=&starting_after=')).body, all.body)
  })
})

describe("GET a subscription's payments", () => {
  test('lists the first charge, which is retrieved alone as well', async () => {
    const { body: subscription } = await ana.api.get(`/subscriptions/${ids[0]}`)
    const { body } = await ana.api.get(`/subscriptions/${ids[0]}/payments`)
    equal(body.has_more, false)
    const [payment, ...more] = body.data
    const { id, receipt_id, created, ...rest } = payment
    deepEqual([id, created, more], [subscription.latest_payment, subscription.last_payment_at, []])
    equal(/^R[0-9A-Z]{10}$/.test(receipt_id), true)
    deepEqual(rest, {
      object: 'payment',
      subscription: ids[0],
      customer: ana.customer,
      payment_method: ana.payment_method,
      amount: 2500,
      surcharge_amount: 0,
      tax_amount: 0,
      currency: 'usd',
      status: 'succeeded',
      refunded_amount: 0,
      attempt: 1,
      trigger: 'initial',
      failure_code: null,
      failure_message: null,
      next_retry_at: null,
      period: { start: subscription.start_date, end: payment.period.end },
      batch: payment.batch,
    })
    equal(payment.period.end > payment.period.start, true)
    deepEqual((await ana.api.get(`/subscriptions/${ids[0]}/payments/${id}`)).body, payment)
  })

  test('an unknown subscription, and a payment of another one, are 404', async () => {
    const [payment] = (await ana.api.get(`/subscriptions/${ids[0]}/payments`)).body.data
    const get = (path: string) => ana.api.get(`/subscriptions/${path}`)
    assertMerchantRefused(await get(`${UNKNOWN}/payments`), 404, 'resource_missing', 'id')
    for (const path of [
      `${ids[2]}/payments/${payment.id}`,
      `${UNKNOWN}/payments/${payment.id}`,
      `${ids[0]}/payments/${UNKNOWN}`,
    ])
      assertMerchantRefused(await get(path), 404, 'resource_missing', 'payment')
    assertMerchantRefused(await get(`${ids[0]}/payments?limit=0`), 422, 'parameter_invalid', 'limit')
  })
})

describe('The rate of creates', () => {
  test('ACC-25: 20 a minute for a key; the 21st is 429, and other calls of the key go on', async () => {
    await using limited = await openService({ rateLimits: true })
    const api = merchantApiOf(limited)
    for (let count = 20; count > 0; count--) {
      const response = await api.post('/subscriptions', {})
      assertMerchantRefused(response, 422, 'parameter_invalid', 'customer')
      deepEqual(
        [response.headers.get('ratelimit-limit'), response.headers.get('ratelimit-remaining')],
        ['20', String(count - 1)],
      )
    }
    const refused = await api.post('/subscriptions', {})
    assertMerchantRefused(refused, 429, 'rate_limit_exceeded', null)
    equal(Number(refused.headers.get('retry-after')) > 0, true)
    const other = await api.get('/subscriptions')
    assertMerchantHeaders(other)
    deepEqual([other.status, other.headers.get('ratelimit-limit')], [200, '60'])
    equal(other.headers.get('ratelimit-remaining'), '39', 'a refused create uses up nothing of the overall rate')
    const { demo } = await secondMerchant(limited, { redirectUrl: 'https://shop.example' })
    equal((await merchantApiOf({ ...limited, demo }).post('/subscriptions', {})).status, 422)
  })
})
