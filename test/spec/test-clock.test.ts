import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { OFFSET_SECONDS_MAX } from '../../server/businesses/test-clock.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payerOf, type Response } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { storeCard } from '../support/stored-card.ts'

// OPS-18, OPS-20, OPS-21: the test clock of a business.

const DAY = 86_400
const NOTHING = { bills: 0, approved: 0, declined: 0, in_doubt: 0, expired_sessions: 0 }
/** Tolerance in seconds: real time passes between a request and its response. */
const CLOSE = 5

interface Payment {
  period: { start: string }
  created: number
}

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const realNow = () => Math.floor(Date.now() / 1_000)
const isClose = (actual: number, expected: number) =>
  ok(Math.abs(actual - expected) <= CLOSE, `${actual} is not close to ${expected}`)

async function advanced(body: unknown): Promise<Response['body']> {
  const response = await api.post('/test_clock/advance', body)
  equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

describe('GET /api/v1/test_clock', () => {
  test('is in real time until it is advanced', async () => {
    const response = await api.get('/test_clock')
    equal(response.status, 200)
    assertMerchantHeaders(response)
    isClose(response.body.now, realNow())
    deepEqual(response.body, { object: 'test_clock', now: response.body.now, offset_seconds: 0 })
  })
})

describe('POST /api/v1/test_clock/advance', () => {
  test('by seconds, by days and to a time, each of which adds up', async () => {
    const start = realNow()
    const bySeconds = await advanced({ seconds: 90 })
    isClose(bySeconds.now, start + 90)
    deepEqual([bySeconds.object, bySeconds.done, bySeconds.ran], ['test_clock', true, NOTHING])
    const byDays = await advanced({ days: 31 })
    isClose(byDays.now, start + 90 + 31 * DAY)
    isClose(byDays.offset_seconds, 90 + 31 * DAY)
    const to = byDays.now + 1_000
    const toTime = await advanced({ to })
    deepEqual([toTime.now, toTime.target], [to, to])
    const { body } = await api.get('/test_clock')
    equal(body.offset_seconds, toTime.offset_seconds)
    isClose(body.now, to)
  })

  test('to where it is: nothing moves', async () => {
    const before = await advanced({ seconds: 0 })
    const { body } = await api.get('/test_clock')
    equal(body.offset_seconds, before.offset_seconds)
  })

  test('what the business makes afterwards is of that time, at once', async () => {
    for (const days of [1, 2]) {
      const { now } = await advanced({ days })
      isClose((await api.made('/products', { name: 'Later' })).created, now)
      const { body } = await merchantOf(service).createSession()
      isClose(Date.parse(body.checkout_session.expires_at) / 1_000, now + DAY)
    }
  })

  test('moves one business only', async () => {
    const other: SecondMerchant = await secondMerchant(service)
    const otherApi = merchantApiOf({ url: service.url, demo: other.demo })
    await advanced({ days: 1 })
    equal((await otherApi.get('/test_clock')).body.offset_seconds, 0)
  })

  test('to the last second of ten years, and not one second further', async () => {
    const other = await secondMerchant(service)
    const otherApi = merchantApiOf({ url: service.url, demo: other.demo })
    const reached = await otherApi.post('/test_clock/advance', { seconds: OFFSET_SECONDS_MAX })
    deepEqual([reached.status, reached.body.offset_seconds <= OFFSET_SECONDS_MAX], [200, true])
    const past = { seconds: 120 }
    assertMerchantRefused(await otherApi.post('/test_clock/advance', past), 422, 'parameter_invalid', 'seconds')
  })
})

describe('An advance is refused, and the clock stays', () => {
  const refused: [what: string, body: unknown, param: string][] = [
    ['no time', {}, 'to'],
    ['`to` in the past', { to: 1_763_740_860 }, 'to'],
    ['`to` before 1970', { to: -1 }, 'to'],
    ['`to` that is not whole', { to: 4_000_000_000.5 }, 'to'],
    ['`to` as a text', { to: '4000000000' }, 'to'],
    ['`to` that is null', { to: null }, 'to'],
    ['`to` too far', { to: 99_999_999_999 }, 'to'],
    ['`to` beyond every date', { to: 8_640_000_000_001 }, 'to'],
    ['`to` beyond every integer', { to: 1e300 }, 'to'],
    ['seconds that go back', { seconds: -1 }, 'seconds'],
    ['seconds that are not whole', { seconds: 0.5 }, 'seconds'],
    ['seconds as a text', { seconds: '60' }, 'seconds'],
    ['seconds too far', { seconds: OFFSET_SECONDS_MAX + DAY }, 'seconds'],
    ['days that go back', { days: -1 }, 'days'],
    ['days that are not whole', { days: 1.5 }, 'days'],
    ['days as a list', { days: [1] }, 'days'],
    ['days too far', { days: 3_661 }, 'days'],
    ['days beyond every date', { days: 9_007_199_254_740_991 }, 'days'],
    ['`to` and seconds', { to: 4_000_000_000, seconds: 1 }, 'seconds'],
    ['seconds and days', { seconds: 1, days: 1 }, 'days'],
    ['all three', { to: 4_000_000_000, seconds: 1, days: 1 }, 'seconds'],
  ]
  for (const [what, body, param] of refused) {
    test(`${what}: 422 on ${param}`, async () => {
      const { body: before } = await api.get('/test_clock')
      assertMerchantRefused(await api.post('/test_clock/advance', body), 422, 'parameter_invalid', param)
      equal((await api.get('/test_clock')).body.offset_seconds, before.offset_seconds)
    })
  }

  test('without a key: 401', async () => {
    const response = await merchantApiOf(service, 'rc_sk_stg_wrong').post('/test_clock/advance', { days: 1 })
    assertMerchantRefused(response, 401, 'invalid_api_key', null)
  })

  test('in production both paths are unknown', async () => {
    await using production = await openService({ config: { environment: 'production' } })
    const there = merchantApiOf(production)
    assertMerchantRefused(await there.get('/test_clock'), 404, 'resource_missing', null)
    assertMerchantRefused(await there.post('/test_clock/advance', { days: 1 }), 404, 'resource_missing', null)
  })
})

describe('What falls due on the way', () => {
  beforeEach(() => setBusiness(service, { clock_offset_seconds: 0 }))
  const merchant = () => merchantOf(service)
  const created = async () => (await merchant().createSession()).body.checkout_session
  const statusOf = async (token: string) => (await merchant().details(token)).body.checkout_session.session_status

  test('a session expires at its time, with one event, and is counted', async () => {
    const { id, token, expires_at } = await created()
    const early = await advanced({ to: Math.floor(Date.parse(expires_at) / 1_000) - 60 })
    equal(early.ran.expired_sessions, 0)
    equal(await statusOf(token), 'PENDING')
    const { ran } = await advanced({ days: 3 })
    equal(ran.expired_sessions, 1)
    equal(await statusOf(token), 'EXPIRED')
    const events = await eventsOf(service, id)
    deepEqual(
      events.map(({ type, created_at }) => [type, created_at.toISOString()]),
      [['checkout.session.expired', expires_at]],
    )
  })

  test('a paid session does not expire', async () => {
    const { token } = await created()
    equal((await payerOf(service).pay(token)).body.ok, true)
    equal((await advanced({ days: 2 })).ran.expired_sessions, 0)
    equal(await statusOf(token), 'COMPLETED')
  })

  test('of several advances at once one runs, the others are refused', async () => {
    await Promise.all(Array.from({ length: 20 }, created))
    const { body: before } = await api.get('/test_clock')
    const responses = await Promise.all(Array.from({ length: 5 }, () => api.post('/test_clock/advance', { days: 2 })))
    const refused = responses.filter(({ status }) => status !== 200)
    ok(refused.length > 0 && refused.length < responses.length)
    for (const response of refused) assertMerchantRefused(response, 409, 'conflict', null)
    const { body: after } = await api.get('/test_clock')
    isClose(after.offset_seconds - before.offset_seconds, (responses.length - refused.length) * 2 * DAY)
  })

  test('of two processes that advance one clock, the one that is overtaken stops', async () => {
    await using beside = await openService({ beside: service })
    await Promise.all(Array.from({ length: 20 }, created))
    const there = merchantApiOf(beside)
    const responses = await Promise.all([api, there].map((one) => one.post('/test_clock/advance', { days: 2 })))
    ok(responses.some(({ status }) => status === 200))
    for (const { status } of responses) ok([200, 409].includes(status))
    const { body: after } = await api.get('/test_clock')
    const reached = responses.filter(({ status }) => status === 200).map(({ body }) => body.target)
    ok(after.now >= Math.max(...reached))
  })
})

describe('Bills on the way', () => {
  let billed: ServiceWithClock
  before(async () => {
    billed = await openServiceWithClock()
  })
  after(() => billed.close())

  const daily = async (email: string, card?: string) => {
    const there = merchantApiOf(billed)
    const stored = await storeCard(billed, email, { ...(card && { cardNumber: card }) })
    const product = await there.made('/products', { name: 'Daily' })
    const recurring = { interval: 'day', interval_count: 1 }
    const price = await there.made('/prices', { product: product.id, unit_amount: 100, recurring })
    const { customerId: customer, cardId: payment_method } = stored
    return there.made('/subscriptions', { customer, price: price.id, payment_method })
  }
  const advance = async (body: object) => {
    const { status, body: advanced } = await merchantApiOf(billed).post('/test_clock/advance', body)
    equal(status, 200, JSON.stringify(advanced))
    return advanced
  }
  const billsOf = async ({ id }: { id: string }) =>
    (await merchantApiOf(billed).get(`/subscriptions/${id}/payments?limit=100`)).body.data

  test('each falls due at its own midnight, and its payment is of that day', async () => {
    const subscription = await daily('daily@example.com')
    const { ran } = await advance({ days: 10 })
    deepEqual([ran.bills, ran.approved, ran.declined], [10, 10, 0])
    const payments = await billsOf(subscription)
    equal(payments.length, 11)
    const days = payments
      .slice(0, -1)
      .map(({ period, created }: Payment) => [
        period.start,
        new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(created * 1_000),
      ])
    for (const [start, paidOn] of days) equal(paidOn, start)
    await merchantApiOf(billed).delete(`/subscriptions/${subscription.id}`)
  })

  test('declines are retried on their days, and counted', async () => {
    const subscription = await daily('declines@example.com', CARDS.laterDeclined)
    const { ran } = await advance({ days: 11 })
    // Four attempts in ten days, and the first of the next bill.
    deepEqual([ran.bills, ran.approved, ran.declined], [5, 0, 5])
    await merchantApiOf(billed).delete(`/subscriptions/${subscription.id}`)
  })

  test('the open batch is settled at its daily close, also on days without a bill', async () => {
    const { db } = billed.app.services
    const business = db.updateTable('business').where('id', '=', billed.demo.business_id)
    await business.set({ batch_close_time: '23:30' }).execute()
    const subscription = await daily('batches@example.com')
    await advance({ days: 3 })
    await business.set({ batch_close_time: null }).execute()
    const { body } = await merchantApiOf(billed).get('/batches')
    const batches = body.data.filter(({ status }: { status: string }) => status === 'settled')
    equal(batches.length, 3, JSON.stringify(body))
    await merchantApiOf(billed).delete(`/subscriptions/${subscription.id}`)
  })

  test('a charge whose outcome is unknown does not stop the clock: it is counted, and resolved later', async () => {
    const subscription = await daily('unknown@example.com')
    await billed.simulator.script({
      outcomes: [
        { op: 'sale', outcome: 'reset_recorded' },
        { op: 'inquire', outcome: 'indeterminate', times: 10_000 },
      ],
    })
    const begin = performance.now()
    const { ran, done } = await advance({ days: 5 })
    ok(performance.now() - begin < 20_000)
    deepEqual([done, ran.in_doubt, ran.approved], [true, 1, 0])
    equal((await billsOf(subscription)).length, 1)
    await billed.simulator.resetScript()
    await resolveAll(billed)
    const { ran: later } = await advance({ days: 1 })
    equal(later.in_doubt, 0)
    equal((await billsOf(subscription)).length > 1, true)
  })
})
