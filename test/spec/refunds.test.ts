import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { refundPayment } from '../../server/payments/refunds/refund-payment.ts'
import { businessOf } from '../support/business-of.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { moneyRows } from '../support/money-rows.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'

// REF-1 to REF-9: the refunds.

let service: TestService
let api: MerchantApiClient
let stored: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  await service.app.startWorker()
  api = merchantApiOf(service)
  stored = await storeCard(service, 'ana@example.com')
})
after(async () => {
  await assertSoundBooks(service)
  await service.close()
})

const paid = () => payForSubscription(service, stored)
const refund = (payment: string, amount?: unknown) =>
  api.post('/refunds', { payment, ...(amount !== undefined && { amount }) })

async function amountsOf(id: string) {
  await using book = moneyRows(service.databaseUrl)
  const [row] = await book.query<{ status: string; refunded: number; pending: number }>(
    'select status, refunded_amount::int as refunded, refund_pending_amount::int as pending from payment where id = $1',
    [id],
  )
  return row
}

describe('POST /api/v1/refunds', () => {
  test('REF-2, REF-5: without an amount the whole payment is refunded', async () => {
    const { id, subscription } = await paid()
    const response = await refund(id)
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id: refundId, created, receipt_id, ...object } = response.body
    match(receipt_id, /^R[0-9A-Z]{10}$/)
    ok(Number.isInteger(created))
    deepEqual(object, {
      object: 'refund',
      payment: id,
      subscription,
      customer: stored.customerId,
      amount: 1234,
      currency: 'usd',
      status: 'succeeded',
      failure_reason: null,
    })
    deepEqual(await amountsOf(id), { status: 'refunded', refunded: 1234, pending: 0 })
    deepEqual((await api.get(`/refunds/${refundId}`)).body, response.body)
    const event = (await eventsOf(service, id)).at(-1)
    equal(event?.type, 'payment.refunded')
    const data = Object(event?.data)
    const { object: payment } = data
    deepEqual(data.refund, response.body)
    deepEqual(data.previous_attributes, { status: 'succeeded', refunded_amount: 0 })
    deepEqual([payment?.status, payment?.refunded_amount, payment?.subscription], ['refunded', 1234, subscription])
  })

  test('REF-5: parts raise the refunded amount, and the last one makes the payment refunded', async () => {
    const { id } = await paid()
    equal((await refund(id, 234)).body.amount, 234)
    deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 234, pending: 0 })
    equal((await refund(id, 500)).body.amount, 500)
    equal((await refund(id)).body.amount, 500)
    deepEqual(await amountsOf(id), { status: 'refunded', refunded: 1234, pending: 0 })
    const types = (await eventsOf(service, id)).map(({ type }) => type).slice(1)
    deepEqual(types, ['payment.partially_refunded', 'payment.partially_refunded', 'payment.refunded'])
  })

  test('REF-2: more than the rest is 422 on amount, and nothing is written', async () => {
    const { id } = await paid()
    await refund(id, 1000)
    assertMerchantRefused(await refund(id, 235), 422, 'parameter_invalid', 'amount')
    deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 1000, pending: 0 })
    equal((await refund(id, 234)).status, 201)
  })

  test('REF-3: a refunded payment is 409', async () => {
    const { id } = await paid()
    await refund(id)
    assertMerchantRefused(await refund(id), 409, 'conflict', null)
    assertMerchantRefused(await refund(id, 1), 409, 'conflict', null)
  })

  test('REF-3: a failed and a voided payment are 409', async () => {
    await using book = moneyRows(service.databaseUrl)
    const { id } = await paid()
    const set = (status: string) =>
      book.query('update payment set status = $2::payment_status where id = $1', [id, status])
    for (const status of ['failed', 'voided']) {
      await set(status)
      assertMerchantRefused(await refund(id), 409, 'conflict', null)
    }
    await set('succeeded')
  })

  const wrong: [what: string, body: object, param: string][] = [
    ['no payment', {}, 'payment'],
    ['a payment that is not an id', { payment: 'gold' }, 'payment'],
    ['a payment that is a number', { payment: 1 }, 'payment'],
    ['several payments', { payment: [newId()] }, 'payment'],
  ]
  for (const [what, body, param] of wrong) {
    test(`${what}: 422 on ${param}`, async () =>
      assertMerchantRefused(await api.post('/refunds', body), 422, 'parameter_invalid', param))
  }

  for (const amount of [0, -1, 0.5, 1e9, 2 ** 53, '100', true, [100], { cents: 100 }]) {
    test(`the amount ${JSON.stringify(amount)}: 422 on amount, and nothing is written`, async () => {
      const { id } = await paid()
      assertMerchantRefused(await refund(id, amount), 422, 'parameter_invalid', 'amount')
      deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 0, pending: 0 })
    })
  }

  for (const amount of [null, '']) {
    test(`API-24, REF-2: the amount ${JSON.stringify(amount)} is not given; an id in capitals is the same`, async () => {
      const { id } = await paid()
      const { status, body } = await api.post('/refunds', { payment: id.toUpperCase(), amount })
      const whole = await api.get(`/refunds?payment=${id}`)
      deepEqual([status, body.status, body.payment], [201, 'succeeded', id])
      deepEqual(whole.body.data, [body])
      equal((await amountsOf(id))?.status, 'refunded')
    })
  }

  test('REF-1: a payment that is not of a subscription is 422 on payment, an unknown one 404', async () => {
    const { body } = await sellTo(service, stored, { amount: 3 })
    assertMerchantRefused(await refund(body.recordID), 422, 'parameter_invalid', 'payment')
    deepEqual(await amountsOf(body.recordID), { status: 'succeeded', refunded: 0, pending: 0 })
    assertMerchantRefused(await refund(newId()), 404, 'resource_missing', 'payment')
  })

  test('a payment of another business is 404, and stays as it is', async () => {
    const { id } = await paid()
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    assertMerchantRefused(await other.post('/refunds', { payment: id }), 404, 'resource_missing', 'payment')
    deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 0, pending: 0 })
  })

  test('members that a client must not set are ignored', async () => {
    const { id } = await paid()
    const more = { status: 'failed', business: newId(), refunded_amount: 0, currency: 'cad', id: newId() }
    const { body } = await api.post('/refunds', { payment: id, amount: 100, ...more })
    deepEqual([body.status, body.currency, body.amount], ['succeeded', 'usd', 100])
    ok(body.id !== more.id)
  })

  test('card data is refused by its own code', async () => {
    const { id } = await paid()
    const response = await api.post('/refunds', { payment: id, card: { number: CARDS.visa } })
    assertMerchantRefused(response, 422, 'raw_card_data_not_supported', 'card')
  })

  test('REF-4: a payment of a detached card is refunded', async () => {
    const other = await storeCard(service, 'detached@example.com')
    const { id } = await payForSubscription(service, other)
    await api.delete(`/payment_methods/${other.cardId}`)
    equal((await refund(id)).body.status, 'succeeded')
  })

  test('REF-4: a payment of a settled batch is refunded', async () => {
    const { id } = await paid()
    const [sale] = (await service.simulator.rows()).filter(({ op }) => op === 'sale')
    await service.simulator.settle(sale?.terminal ?? '', 'USD')
    equal((await refund(id, 100)).body.status, 'succeeded')
  })

  test('REF-6: a declined refund is failed, releases its amount, and is an event', async () => {
    const card = await storeCard(service, 'declined@example.com', { cardNumber: CARDS.refundsDeclined })
    const { id } = await payForSubscription(service, card)
    const { status, body } = await refund(id)
    deepEqual([status, body.status, body.failure_reason, body.receipt_id], [201, 'failed', 'declined', null])
    deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 0, pending: 0 })
    deepEqual(
      (await eventsOf(service, body.id)).map(({ type, data }) => [type, data.object]),
      [['refund.failed', body]],
    )
    equal((await eventsOf(service, id)).length, 1)
    equal((await refund(id)).body.status, 'failed', 'it may be tried again')
  })

  test('REF-6: what the gateway refuses before authorization is failed', async () => {
    const { id } = await paid()
    const raw = { status: 200, recorded: false, body: '{"outcome":"refused","reason":"not_permitted","message":"NO"}' }
    await service.simulator.script({ outcomes: [{ op: 'refund', raw }] })
    const { body } = await refund(id)
    deepEqual([body.status, body.failure_reason], ['failed', 'refused'])
    deepEqual(await amountsOf(id), { status: 'succeeded', refunded: 0, pending: 0 })
  })
})

describe('GET /api/v1/refunds', () => {
  test('lists those of one payment, newest first, in pages', async () => {
    const { id } = await paid()
    const ids: string[] = []
    for (const amount of [1, 2, 3]) ids.unshift((await refund(id, amount)).body.id)
    const page = (more = '') => api.get(`/refunds?payment=${id}&limit=2${more}`)
    const first = (await page()).body
    deepEqual(
      [first.object, first.data.map((one: { id: string }) => one.id), first.has_more],
      ['list', ids.slice(0, 2), true],
    )
    const second = (await page(`&starting_after=${ids[1]}`)).body
    deepEqual([second.data.map((one: { id: string }) => one.id), second.has_more], [ids.slice(2), false])
    const back = (await page(`&ending_before=${ids[2]}`)).body
    deepEqual(
      back.data.map((one: { id: string }) => one.id),
      ids.slice(0, 2),
    )
  })

  test('of a payment that does not exist lists nothing; one that is not an id is 422', async () => {
    deepEqual((await api.get(`/refunds?payment=${newId()}`)).body.data, [])
    assertMerchantRefused(await api.get('/refunds?payment=gold'), 422, 'parameter_invalid', 'payment')
  })

  test('a refund of another business is 404, and in no list', async () => {
    const { id } = await paid()
    const { body } = await refund(id)
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    assertMerchantRefused(await other.get(`/refunds/${body.id}`), 404, 'resource_missing', 'id')
    deepEqual((await other.get('/refunds')).body.data, [])
    assertMerchantRefused(await api.get(`/refunds/${newId()}`), 404, 'resource_missing', 'id')
    assertMerchantRefused(await api.get('/refunds/gold'), 404, 'resource_missing', null)
  })
})

describe('the use case', () => {
  test('REF-1: refunds a payment of a saved-card sale, with no subscription; the merchant API does not show it', async () => {
    const { body: sale } = await sellTo(service, stored, { amount: 4 })
    const business = await businessOf(service)
    const refunded = await refundPayment(service.app.services, { business, paymentId: sale.recordID, amount: null })
    deepEqual([refunded.status, refunded.subscriptionId, refunded.amount], ['succeeded', null, 400])
    const event = (await eventsOf(service, sale.recordID)).at(-1)
    deepEqual([event?.type, event?.sequence, event?.data.object.subscription], ['payment.refunded', 2, null])
    assertMerchantRefused(await api.get(`/refunds/${refunded.id}`), 404, 'resource_missing', 'id')
  })
})

describe('refunds at once', () => {
  test('REF-3: of fifty refunds of one payment one is made, and the others are 409', async () => {
    const { id } = await paid()
    const responses = await Promise.all(Array.from({ length: 50 }, () => refund(id)))
    const statuses = responses.map(({ status }) => status).sort()
    deepEqual(statuses, [201, ...Array(49).fill(409)])
    deepEqual(await amountsOf(id), { status: 'refunded', refunded: 1234, pending: 0 })
  })

  test('REF-2: parts that race never exceed the payment', async () => {
    const { id } = await paid()
    for (let round = 0; round < 4; round++) await Promise.all([400, 500, 600].map((amount) => refund(id, amount)))
    const amounts = await amountsOf(id)
    ok(Number(amounts?.refunded) <= 1234 && amounts?.pending === 0, JSON.stringify(amounts))
  })

  test('REF-2: the database refuses to reserve more than the payment has', async () => {
    const { id } = await paid()
    await using book = moneyRows(service.databaseUrl)
    const over = book.query('update payment set refund_pending_amount = amount + 1 where id = $1', [id])
    equal(await over.catch((error: { constraint: string }) => error.constraint), 'payment_refunds')
  })
})

test('ACC-25: five refunds and five voids a minute for each key, beside its overall limit', async () => {
  await using limited = await openService({ rateLimits: true })
  const keyed = merchantApiOf(limited)
  for (const path of ['/refunds', '/voids']) {
    for (let count = 1; count <= 5; count++) {
      const { status, headers } = await keyed.post(path, { payment: newId() })
      deepEqual(
        [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')],
        [404, '5', String(5 - count)],
      )
    }
    const refused = await keyed.post(path, { payment: newId() })
    assertMerchantRefused(refused, 429, 'rate_limit_exceeded', null)
    match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    equal(refused.headers.get('ratelimit-limit'), '5')
  }
  equal((await keyed.get('/refunds')).status, 200)
})
