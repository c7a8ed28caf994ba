import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// SUB-1, SUB-3, SUB-8, SUB-9: creation with a card and a start today.

const UUID = /^[0-9a-f-]{36}$/

let service: TestService
let ana: Subscriber
before(async () => {
  service = await openService()
  ana = await makeSubscriber(service)
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const create = (more: Record<string, unknown> = {}) => ana.api.post('/subscriptions', subscriptionBody(ana, more))
const next = (outcome: 'declined' | 'partial_ap') => service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
const sales = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale')
describe('POST /api/v1/subscriptions with a card', () => {
  test('SUB-1: approved: 201, the whole object, active, its first bill paid', async () => {
    const response = await create({ tax_rate: 8.875, installments: 12, metadata: { seat: 'A1' } })
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id, created, items, latest_payment, start_date, current_period_end, ...rest } = response.body
    match(id, UUID)
    match(latest_payment, UUID)
    match(start_date, /^\d{4}-\d{2}-\d{2}$/)
    equal(Math.abs(created - Date.now() / 1000) < 60, true)
    const price = (await ana.api.get(`/prices/${ana.price}`)).body
    const [item] = items.data
    deepEqual(items, {
      object: 'list',
      data: [{ id: item.id, object: 'subscription_item', price, quantity: 1 }],
      has_more: false,
    })
    deepEqual(rest, {
      object: 'subscription',
      status: 'active',
      customer: ana.customer,
      payment_method: ana.payment_method,
      price: ana.price,
      currency: 'usd',
      unit_amount: 2500,
      quantity: 1,
      surcharge_rate: null,
      surcharge_amount: 0,
      tax_rate: 8.875,
      tax_amount: 222,
      amount: 2722,
      interval: 'month',
      interval_count: 1,
      installments: 12,
      installments_billed: 1,
      installments_remaining: 11,
      billing_cycle_anchor: start_date,
      current_period_start: rest.current_period_start,
      next_billing_at: current_period_end,
      last_payment_at: created,
      last_failed_attempt_at: null,
      retry_count: 0,
      next_retry_at: null,
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      cancellation_details: null,
      pause_at: null,
      paused_at: null,
      pause_reason: null,
      pause: null,
      contract: null,
      checkout_url: null,
      metadata: { seat: 'A1' },
    })
    deepEqual((await ana.api.get(`/subscriptions/${id}`)).body, response.body)
  })

  test('one sale of the amount is at the gateway, and its payment and events are recorded', async () => {
    const { body } = await create()
    const sale = (await sales()).at(-1)
    deepEqual([sale?.approvedAmount, sale?.storedCredential?.reason], [2500, 'recurring'])
    const [event, ...more] = await eventsOf(service, body.id)
    deepEqual([event?.type, event?.data, more], ['subscription.created', { object: body }, []])
    const [paid] = await eventsOf(service, body.latest_payment)
    equal(paid?.type, 'payment.succeeded')
    deepEqual([paid?.data.object.subscription, paid?.data.object.trigger], [body.id, 'initial'])
  })

  test('SUB-1: declined: 402 with the code, and nothing is left but the operation', async () => {
    const rows = await countRows(service.databaseUrl)
    await next('declined')
    const response = await create()
    assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
    equal(response.body.error.decline_code, 'ND')
    deepEqual(Object.keys(await addedRows(service.databaseUrl, rows)), ['public.gateway_reference', 'public.operation'])
  })
})

describe('GET /api/v1/subscriptions', () => {
  test('an unknown one is 404', async () => {
    assertMerchantRefused(
      await ana.api.get('/subscriptions/0199a3f3-a9f0-7d43-9e0a-000000000000'),
      404,
      'resource_missing',
      'id',
    )
  })

  test('newest first', async () => {
    const one = await create()
    const other = await create()
    const { body } = await ana.api.get('/subscriptions?limit=2')
    deepEqual(body, { object: 'list', data: [other.body, one.body], has_more: true })
  })
})
