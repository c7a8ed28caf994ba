import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { paymentObject } from '../../server/payments/payment.ts'
import { findSubscriptionPayment, listSubscriptionPayments } from '../../server/payments/payment-queries.ts'
import { moneyRows } from '../support/money-rows.ts'
import { openService, type TestService } from '../support/service.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { saleOfSubscription } from '../support/subscription-payment.ts'

// SUB-34, SUB-35: the payment object.

describe('the payments of a subscription', () => {
  let service: TestService
  let stored: StoredCardIds
  before(async () => {
    service = await openService()
    stored = await storeCard(service, 'ana@example.com')
  })
  after(() => service.close())

  const find = (id: string) => findSubscriptionPayment(service.app.services.db, service.demo.business_id, id)

  test('SUB-34: the object has every field', async () => {
    const { id, subscription } = await saleOfSubscription(service, stored, {
      surchargeAmount: 24 as never,
      taxAmount: 130 as never,
    })
    const payment = await find(id)
    if (!payment) throw new Error('The payment was not found')
    const { created, receipt_id, ...object } = paymentObject(payment)
    deepEqual(object, {
      id,
      object: 'payment',
      subscription,
      customer: stored.customerId,
      payment_method: stored.cardId,
      amount: 1234,
      surcharge_amount: 24,
      tax_amount: 130,
      currency: 'usd',
      status: 'succeeded',
      refunded_amount: 0,
      attempt: 1,
      trigger: 'scheduled',
      failure_code: null,
      failure_message: null,
      next_retry_at: null,
      period: { start: '2026-11-01', end: '2026-12-01' },
      batch: null,
    })
    equal(created, Math.floor(payment.createdAt.getTime() / 1000))
    equal(receipt_id, payment.receiptId)
  })

  test('SUB-35: a failed one has its reason and the time of the next try', async () => {
    const { id } = await saleOfSubscription(service, stored)
    await using book = moneyRows(service.databaseUrl)
    const retry =
      "update payment set status = 'failed', code = 'ND', message = 'DECLINED', next_retry_at = $2 where id = $1"
    await book.query(retry, [id, '2026-12-01T05:00:00.400Z'])
    const payment = await find(id)
    if (!payment) throw new Error('The payment was not found')
    const { status, failure_code, failure_message, next_retry_at } = paymentObject(payment)
    deepEqual([status, failure_code, failure_message, next_retry_at], ['failed', 'ND', 'DECLINED', 1_796_101_200])
  })

  test('a payment that is not of a subscription is not found, nor one of another business', async () => {
    const { body } = await sellTo(service, stored)
    equal(await find(body.recordID), undefined)
    const { id } = await saleOfSubscription(service, stored)
    equal(await findSubscriptionPayment(service.app.services.db, newId(), id), undefined)
  })

  test('API-10: a list has the payments of one subscription, newest first, in pages', async () => {
    const subscriptionId = newId()
    const ids: string[] = []
    for (const amount of [1, 2, 3]) {
      ids.unshift((await saleOfSubscription(service, stored, { subscriptionId, amount })).id)
    }
    await saleOfSubscription(service, stored)
    const which = { businessId: service.demo.business_id, subscriptionId }
    const list = (page: object) => listSubscriptionPayments(service.app.services.db, which, { limit: 2, ...page })
    const first = await list({})
    deepEqual([first.rows.map(({ id }) => id), first.hasMore], [ids.slice(0, 2), true])
    const second = await list({ starting_after: ids[1] })
    deepEqual([second.rows.map(({ id }) => id), second.hasMore], [ids.slice(2), false])
  })
})
