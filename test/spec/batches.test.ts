import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type BatchShop, batchShopOf, openBatchShop } from '../support/batch-shop.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'

// REF-13 to REF-21: batches.

let shared: BatchShop
before(async () => {
  shared = await openBatchShop()
  callInProcess(shared.service)
})
after(() => shared[Symbol.asyncDispose]())

/** Returns a new business on the same service. Its batches begin with number 1, too. */
async function newShop(): Promise<BatchShop> {
  const shop = { name: 'Demo Shop', currency: 'USD', country: 'US', timeZone: 'America/New_York' } as const
  const { demo } = await secondMerchant(shared.service, { redirectUrl: 'https://shop.example', shop })
  return batchShopOf({ ...shared.service, demo })
}

/** Returns how many operations of a kind the gateway has recorded. */
const recorded = async (kind: string) =>
  (await shared.service.simulator.rows()).filter(({ op, recorded: isRecorded }) => op === kind && isRecorded).length

const figures = ({ batch }: { batch: Record<string, unknown> }) => [
  batch.sales_count,
  batch.sales_amount,
  batch.refunds_count,
  batch.refunds_amount,
  batch.voids_count,
  batch.voids_amount,
  batch.net_amount,
]

describe('balance and settle', () => {
  test('REF-14, REF-15: the open batch counts sales, refunds and voids, and is settled as it was', async () => {
    const shop = await newShop()
    const { service, api, stored } = shop
    const [refunded, voided] = [await payForSubscription(service, stored), await payForSubscription(service, stored)]
    await api.post('/refunds', { payment: refunded.id, amount: 234 })
    await api.post('/voids', { payment: voided.id })
    await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(CARDS.visa))

    const { status, body } = await shop.balance()
    equal(status, 200)
    deepEqual(figures(body), [3, 63.34, 1, 2.34, 1, 12.34, 61])
    deepEqual(body.batch.by_brand, [
      { brand: 'mastercard', count: 2, amount: 37.84 },
      { brand: 'visa', count: 1, amount: 25.5 },
    ])
    deepEqual([body.ok, body.batch.number, body.batch.status, body.batch.currency], [true, 1, 'open', 'USD'])
    match(body.batch.opened_at, /^\d{4}-.*Z$/)
    equal('settled_at' in body.batch, false)

    const settled = await shop.settle({ expected_net_amount: 61 })
    equal(settled.status, 200)
    const { settled_at, settlement_reference, ...rest } = settled.body.batch
    match(settled_at, /^\d{4}-.*Z$/)
    match(settlement_reference, /^SIM/)
    deepEqual(rest, { ...body.batch, status: 'settled' })

    const next = (await shop.balance()).body
    deepEqual(figures(next), [0, 0, 0, 0, 0, 0, 0])
    deepEqual([next.batch.number, next.batch.opened_at], [2, null])
    const [event] = await eventsOf(service, body.batch.id)
    deepEqual([event?.type, event?.data.object], ['batch.settled', (await api.get(`/batches/${body.batch.id}`)).body])
    await assertSoundBooks(service)
  })

  test('REF-15: another net amount than expected is 409, and nothing is settled', async () => {
    const shop = await newShop()
    for (const expected_net_amount of [0, 25.49, -25.5]) {
      assertRefused(await shop.settle({ expected_net_amount }), 409, 'conflict')
    }
    equal((await shop.balance()).body.batch.net_amount, 25.5)
    equal((await shop.settle({ expected_net_amount: 25.5 })).status, 200)
  })

  for (const expected_net_amount of ['61', 0.001, true, [61], 1e15]) {
    test(`an expected amount of ${JSON.stringify(expected_net_amount)} is 422, and nothing is settled`, async () => {
      assertRefused(await shared.settle({ expected_net_amount }), 422, 'validation_failed', ['expected_net_amount'])
      equal((await shared.balance()).body.batch.status, 'open')
    })
  }

  for (const currency of ['EUR', 'usd', 1]) {
    test(`the currency ${JSON.stringify(currency)} is 422`, async () =>
      assertRefused(await shared.settle({ currency }), 422, 'validation_failed', ['currency']))
  }

  test('each currency has a terminal and a batch of its own, that of the business by default', async () => {
    const shop = await newShop()
    const token = await merchantOf(shop.service).sessionToken({ currency: 'CAD' })
    await payerOf(shop.service).pay(token)
    const [usd, cad] = [(await shop.balance()).body.batch, (await shop.balance('?currency=CAD')).body.batch]
    deepEqual([usd.currency, usd.sales_count, cad.currency, cad.sales_count], ['USD', 1, 'CAD', 1])
    ok(usd.terminal_id !== cad.terminal_id && usd.id !== cad.id)
    equal((await shop.settle({ currency: 'CAD' })).body.batch.id, cad.id)
    equal((await shop.balance()).body.batch.id, usd.id)
    equal((await shop.settle()).body.batch.id, usd.id)
  })

  test('REF-16: an empty batch is 417, and nothing is recorded', async () => {
    const shop = await newShop()
    await shop.settle()
    const response = await shop.settle()
    assertRefused(response, 417, 'batch_failed')
    equal(response.body.gateway.code, 'batch_empty')
    equal((await shop.balance()).body.batch.number, 2)
  })

  test('REF-16: a failure of the gateway is 417 with its code, the batch stays open, and that is an event', async () => {
    const shop = await newShop()
    await shop.service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
    const response = await shop.settle()
    assertRefused(response, 417, 'batch_failed')
    deepEqual(response.body.gateway, { code: 'settle_failed', message: 'DECLINED' })
    const { id, status } = (await shop.balance()).body.batch
    equal(status, 'open')
    deepEqual(
      (await eventsOf(shop.service, id)).map(({ type }) => type),
      ['batch.settle_failed'],
    )
    equal((await shop.settle()).body.batch.id, id)
    deepEqual(
      (await eventsOf(shop.service, id)).map(({ type }) => type),
      ['batch.settle_failed', 'batch.settled'],
    )
  })

  test('REF-16: a gateway whose balance cannot be read is 417', async () => {
    const shop = await newShop()
    for (const ask of [shop.balance, shop.settle]) {
      await shop.service.simulator.script({ outcomes: [{ op: 'batch', outcome: 'indeterminate' }] })
      const response = await ask()
      assertRefused(response, 417, 'batch_failed')
      const gateway = { code: 'gateway_unavailable', message: 'the card gateway cannot be reached' }
      deepEqual(response.body.gateway, gateway)
    }
    equal((await shop.balance()).body.batch.status, 'open')
  })

  test('REF-16: a gateway that cannot settle is 417', async () => {
    const shop = await newShop()
    const { capabilities } = shop.service.app.services.gateways('simulator')
    Object.assign(capabilities, { batches: false })
    try {
      for (const ask of [shop.balance, shop.settle]) {
        const response = await ask()
        assertRefused(response, 417, 'batch_failed')
        equal(response.body.gateway.code, 'unsupported')
      }
    } finally {
      Object.assign(capabilities, { batches: true })
    }
  })

  test('of twenty settlements at once one is made, and the others are 409 or find nothing more', async () => {
    const shop = await newShop()
    const before = await recorded('settle')
    const responses = await Promise.all(Array.from({ length: 20 }, () => shop.settle()))
    equal(responses.filter(({ status }) => status === 200).length, 1)
    equal(
      responses.every(({ status, body }) => [200, 409].includes(status) || body.gateway.code === 'batch_empty'),
      true,
    )
    equal(await recorded('settle'), before + 1)
    equal((await shop.balance()).body.batch.number, 2)
  })
})

describe('the batch of a payment', () => {
  test('REF-18: is null until its settlement; then a void is 409 that names refund, and a refund is in the next batch', async () => {
    const shop = await newShop()
    const { service, api, stored } = shop
    const voids = async () => (await service.simulator.rows()).filter(({ op }) => op === 'void').length
    const before = await voids()
    const { id } = await payForSubscription(service, stored)
    const { id: open } = (await shop.balance()).body.batch
    const listed = async (batch: string) => (await api.get(`/batches/${batch}/payments`)).body.data
    deepEqual(
      (await listed(open)).map((payment: { id: string; batch: null }) => payment.batch),
      [null, null],
    )
    const { id: settled } = (await shop.settle()).body.batch
    equal(settled, open)
    const payments = await listed(settled)
    deepEqual(
      payments.map((payment: { batch: string }) => payment.batch),
      [settled, settled],
    )
    equal(payments[0].id, id)
    deepEqual(
      payments.map(({ subscription, attempt, trigger, period }: Record<string, unknown>) =>
        [subscription, attempt, trigger, period].map((value) => value !== null),
      ),
      [Array(4).fill(true), Array(4).fill(false)],
      'SUB-34',
    )

    const refused = await api.post('/voids', { payment: id })
    assertMerchantRefused(refused, 409, 'conflict', null)
    match(refused.body.error.message, /refund/)
    equal(await voids(), before)

    equal((await api.post('/refunds', { payment: id, amount: 100 })).body.status, 'succeeded')
    deepEqual(figures((await shop.balance()).body), [0, 0, 1, 1, 0, 0, -1])
    await sellTo(service, stored)
    const second = (await shop.settle({ expected_net_amount: 11.34 })).body.batch
    deepEqual(figures({ batch: second }), [1, 12.34, 1, 1, 0, 0, 11.34])
    equal((await listed(second.id)).length, 1)
    await assertSoundBooks(service)
  })
})

describe('GET /api/v1/batches', () => {
  test('in cents, newest first, in pages, with the open one of each terminal', async () => {
    const shop = await newShop()
    const { api } = shop
    for (let count = 0; count < 2; count++) {
      await shop.settle()
      await sellTo(shop.service, shop.stored)
    }
    const response = await api.get('/batches?limit=100')
    assertMerchantHeaders(response)
    const batches = response.body.data as Record<string, unknown>[]
    const usd = batches.filter(({ currency }) => currency === 'usd')
    deepEqual(
      usd.map(({ number, status, net_amount }) => [number, status, net_amount]),
      [
        [3, 'open', 1234],
        [2, 'settled', 1234],
        [1, 'settled', 2550],
      ],
    )
    for (const batch of batches) deepEqual((await api.get(`/batches/${batch.id}`)).body, batch)
    const page = (await api.get('/batches?limit=1')).body
    const after = (await api.get(`/batches?limit=100&starting_after=${page.data[0].id}`)).body
    deepEqual([...page.data, ...after.data], batches)
    ok(page.has_more)
  })

  test('REF-19: shows the same members as the balance', async () => {
    const { batch: balance } = (await shared.balance()).body
    const { body } = await shared.api.get(`/batches/${balance.id}`)
    deepEqual(
      Object.keys(balance).filter((member) => !(member in body)),
      [],
    )
    deepEqual([body.number, body.terminal_id], [balance.number, balance.terminal_id])
  })

  test('an unknown one, and one of another business, is 404', async () => {
    const { data } = (await shared.api.get('/batches')).body
    const other = merchantApiOf({ ...shared.service, demo: (await secondMerchant(shared.service)).demo })
    for (const path of [`/batches/${data[0].id}`, `/batches/${data[0].id}/payments`]) {
      assertMerchantRefused(await other.get(path), 404, 'resource_missing', 'id')
      assertMerchantRefused(await shared.api.get(path.replace(data[0].id, newId())), 404, 'resource_missing', 'id')
    }
  })
})
