import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import type { Payment } from '../../server/payments/payment.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { voidPayment } from '../../server/payments/voids/void-payment.ts'
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
import { until } from '../support/until.ts'

// REF-10 to REF-12: the voids.

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

const paid = (card = stored) => payForSubscription(service, card)
const voided = (payment: string) => api.post('/voids', { payment })
const refused = async (payment: string, text: RegExp) => {
  const response = await voided(payment)
  assertMerchantRefused(response, 409, 'conflict', null)
  ok(text.test(response.body.error.message), response.body.error.message)
}

async function statusOf(id: string) {
  await using book = moneyRows(service.databaseUrl)
  return (await book.query<{ status: string }>('select status from payment where id = $1', [id]))[0]?.status
}

async function rowsOf(id: string) {
  await using book = moneyRows(service.databaseUrl)
  const [sale] = await book.query<{ merchant_ref: string }>(
    'select o.merchant_ref from payment p join operation o on o.id = p.operation_id where p.id = $1',
    [id],
  )
  const rows = await service.simulator.rows()
  const charged = rows.find(({ merchantRef }) => merchantRef === sale?.merchant_ref)
  return {
    sale: charged,
    voids: rows.filter(({ op, originalGatewayRef }) => op === 'void' && originalGatewayRef === charged?.gatewayRef),
  }
}

describe('POST /api/v1/voids', () => {
  test('REF-10: returns the payment as voided, and the sale is voided at the gateway', async () => {
    const { id, subscription } = await paid()
    const response = await voided(id)
    equal(response.status, 200)
    assertMerchantHeaders(response)
    const { body } = response
    deepEqual(
      [body.id, body.object, body.status, body.subscription, body.refunded_amount],
      [id, 'payment', 'voided', subscription, 0],
    )
    equal((await rowsOf(id)).sale?.state, 'voided')
    const event = (await eventsOf(service, id)).at(-1)
    deepEqual(
      [event?.type, event?.data],
      ['payment.voided', { object: body, previous_attributes: { status: 'succeeded' } }],
    )
  })

  test('REF-10: a voided payment is 409, and so is its refund', async () => {
    const { id } = await paid()
    await voided(id)
    await refused(id, /is voided/)
    assertMerchantRefused(await api.post('/refunds', { payment: id }), 409, 'conflict', null)
    equal((await rowsOf(id)).voids.length, 1)
  })

  test('REF-10: a payment that is refunded in part or in whole, or failed, is 409', async () => {
    const { id } = await paid()
    await api.post('/refunds', { payment: id, amount: 1 })
    await refused(id, /refund the rest/)
    await api.post('/refunds', { payment: id })
    await refused(id, /is refunded/)
    const { id: failed } = await paid()
    await using book = moneyRows(service.databaseUrl)
    await book.query("update payment set status = 'failed' where id = $1", [failed])
    await refused(failed, /is failed/)
    await book.query("update payment set status = 'succeeded' where id = $1", [failed])
  })

  test('REF-11: a batch that closed at the gateway is 409 that names refund, and the payment stays succeeded', async () => {
    const { id } = await paid()
    const { sale } = await rowsOf(id)
    await service.simulator.settle(sale?.terminal ?? '', 'USD')
    await refused(id, /batch .* is settled.*refund/)
    equal(await statusOf(id), 'succeeded')
    equal((await api.post('/refunds', { payment: id })).body.status, 'succeeded')
  })

  test('REF-11: already voided at the gateway is success, also when the gateway says so by a refusal', async () => {
    const { id } = await paid()
    const { sale } = await rowsOf(id)
    const raw = {
      status: 200,
      recorded: true,
      body: '{"outcome":"refused","reason":"not_permitted","message":"VOIDED"}',
    }
    await service.simulator.script({ outcomes: [{ op: 'void', terminal: sale?.terminal ?? '', raw }] })
    equal((await voided(id)).body.status, 'voided')
    equal((await rowsOf(id)).sale?.state, 'voided')
  })

  test('REF-11: a refusal while the batch is open is 409 with the gateway’s word, and a refund is possible', async () => {
    const { id } = await paid()
    const raw = {
      status: 200,
      recorded: false,
      body: '{"outcome":"refused","reason":"not_permitted","message":"NOT TODAY"}',
    }
    await service.simulator.script({ outcomes: [{ op: 'void', raw }] })
    await refused(id, /NOT TODAY/)
    equal(await statusOf(id), 'succeeded')
    equal((await api.post('/refunds', { payment: id })).body.status, 'succeeded')
  })

  test('REF-1: a payment that is not of a subscription is 422 on payment, an unknown one 404', async () => {
    const { body } = await sellTo(service, stored, { amount: 5 })
    assertMerchantRefused(await voided(body.recordID), 422, 'parameter_invalid', 'payment')
    equal(await statusOf(body.recordID), 'succeeded')
    assertMerchantRefused(await voided(newId()), 404, 'resource_missing', 'payment')
    const { id } = await paid()
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    assertMerchantRefused(await other.post('/voids', { payment: id }), 404, 'resource_missing', 'payment')
    equal(await statusOf(id), 'succeeded')
  })

  for (const payment of [undefined, null, 'gold', 1, {}, [newId()]]) {
    test(`the payment ${JSON.stringify(payment)}: 422 on payment`, async () =>
      assertMerchantRefused(await api.post('/voids', { payment }), 422, 'parameter_invalid', 'payment'))
  }

  test('card data is refused by its own code', async () => {
    const response = await api.post('/voids', { payment: newId(), pan: CARDS.visa })
    assertMerchantRefused(response, 422, 'raw_card_data_not_supported', 'pan')
  })
})

describe('the use case', () => {
  test('REF-1: voids a payment of a saved-card sale, with no subscription', async () => {
    const { body: sale } = await sellTo(service, stored, { amount: 6 })
    const payment = await voidPayment(service.app.services, {
      business: await businessOf(service),
      paymentId: sale.recordID,
    })
    deepEqual([payment.status, payment.subscriptionId], ['voided', null])
    const event = (await eventsOf(service, sale.recordID)).at(-1)
    deepEqual([event?.type, event?.sequence, event?.data.object.subscription], ['payment.voided', 2, null])
  })

  test('REF-12: what depends on the payment changes in the same transaction, or the void is not recorded', async () => {
    const business = await businessOf(service)
    const seen: Payment[] = []
    const services = {
      ...service.app.services,
      onVoided: async (_tx: object, payment: Payment) => void seen.push(payment),
    }
    const { id } = await paid()
    await voidPayment(services, { business, paymentId: id })
    deepEqual(
      seen.map(({ id, status }) => [id, status]),
      [[id, 'voided']],
    )
    const { id: other } = await paid()
    const failing = { ...services, onVoided: () => Promise.reject(new Error('the subscription could not be changed')) }
    await voidPayment(failing, { business, paymentId: other }).catch(() => {})
    equal(await statusOf(other), 'succeeded')
    deepEqual((await eventsOf(service, other)).length, 1)
    await until('recovery has recorded it', async () => {
      await resolveOperations(service.app.services)
      return (await statusOf(other)) === 'voided'
    })
  })
})

describe('at once', () => {
  test('REF-10: of fifty voids one is made, and the others are 409', async () => {
    const { id } = await paid()
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => voided(id))))
      .map(({ status }) => status)
      .sort()
    deepEqual(statuses, [200, ...Array(49).fill(409)])
    equal((await rowsOf(id)).voids.length, 1)
  })

  test('REF-3: of a refund and a void one is made', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await paid()
      const refund = () => api.post('/refunds', { payment: id, amount: 100 })
      const responses = await Promise.all(round % 2 ? [voided(id), refund()] : [refund(), voided(id)])
      equal(
        responses.filter(({ status }) => status === 409).length,
        1,
        JSON.stringify(responses.map(({ status }) => status)),
      )
    }
  })
})
