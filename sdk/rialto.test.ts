import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BASE, clientOf, ID, KEY } from '../test/support/sdk-client.ts'
import packageJson from './package.json' with { type: 'json' }
import { VERSION } from './version.ts'

describe('The test clock of the SDK', () => {
  const advanced = (done: boolean, bills: number) => ({
    body: {
      object: 'test_clock',
      now: done ? 2_000 : 1_500,
      offset_seconds: 0,
      target: 2_000,
      done,
      ran: { bills, approved: bills, declined: 0, in_doubt: 1, expired_sessions: 2 },
    },
  })

  test('that never reaches its target is an error', async () => {
    const { rialto, sent } = clientOf([advanced(false, 0)])

    await rejects(rialto.testClock.advance({ days: 1 }), { code: 'unreadable_response' })

    equal(sent.length, 1_000)
  })

  test('goes on until the target is reached, and adds up what was done', async () => {
    const { rialto, sent } = clientOf([advanced(false, 7), advanced(false, 5), advanced(true, 1)])

    const { now, done, ran } = await rialto.testClock.advance({ days: 3_650 })

    deepEqual([now, done], [2_000, true])
    deepEqual(ran, { bills: 13, approved: 13, declined: 0, in_doubt: 1, expired_sessions: 6 })
    deepEqual(
      sent.map(({ path, body }) => [path, body]),
      [{ days: 3_650 }, { to: 2_000 }, { to: 2_000 }].map((body) => ['/api/v1/test_clock/advance', body]),
    )
  })

  test('is not advanced again after an error, because the first advance may be running', async () => {
    const { rialto, sent } = clientOf([{ status: 503 }, advanced(true, 0)])

    await rejects(rialto.testClock.advance({ days: 1 }))

    equal(sent.length, 1)
  })
})

describe('A request of the SDK', () => {
  test('has the key, and the name and version of the SDK', async () => {
    const { rialto, sent } = clientOf([{ body: { data: { object: 'account' } } }])

    deepEqual(await rialto.account.retrieve(), { object: 'account' })

    equal(sent[0]?.url, `${BASE}/api/v1/account`)
    equal(sent[0]?.headers.get('authorization'), `Bearer ${KEY}`)
    equal(sent[0]?.headers.get('x-rialto-client'), `rialto-sdk/${VERSION}`)
    equal(sent[0]?.headers.get('content-type'), null)
    equal(sent[0]?.redirect, 'manual')
    equal(packageJson.version, VERSION)
  })

  test('has the method, path and body of each operation', async () => {
    const { rialto, sent } = clientOf([{ body: { id: ID, data: [], has_more: false } }])

    await rialto.customers.create({ name: 'Ana' })
    await rialto.customers.retrieve(ID)
    await rialto.customers.update(ID, { phone: null })
    await rialto.customers.list({ limit: 3, starting_after: ID })
    await rialto.customers.listPaymentMethods(ID)
    await rialto.paymentMethods.list({ customer: ID })
    await rialto.paymentMethods.retrieve(ID)
    await rialto.paymentMethods.detach(ID)
    await rialto.products.create({ name: 'Plan' })
    await rialto.products.retrieve(ID)
    await rialto.products.update(ID, { active: false })
    await rialto.products.list({ active: true })
    await rialto.prices.create({ product: ID, unit_amount: 2500 })
    await rialto.prices.retrieve(ID)
    await rialto.prices.update(ID, { metadata: null })
    await rialto.prices.list({ product: ID, active: false })
    await rialto.testClock.retrieve()
    await rialto.subscriptions.create({ customer: ID, price: ID })
    await rialto.subscriptions.retrieve(ID)
    await rialto.subscriptions.list({ status: 'active' })
    await rialto.subscriptions.listPayments(ID, { limit: 2 })
    await rialto.subscriptions.retrievePayment(ID, ID)
    await rialto.subscriptions.update(ID, { cancel_at_period_end: true })
    await rialto.subscriptions.cancel(ID)
    await rialto.subscriptions.cancel(ID, { reason: 'Moved' })
    await rialto.subscriptions.previewPause(ID, { mode: 'immediate' })
    await rialto.subscriptions.pause(ID, { mode: 'period_end' })
    await rialto.subscriptions.undoPause(ID)
    await rialto.subscriptions.previewResume(ID, { billing_cycle_anchor: 'now' })
    await rialto.subscriptions.resume(ID, { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' })

    deepEqual(
      sent.map(({ method, path, body }) => [method, path.replace('/api/v1/', ''), body]),
      [
        ['POST', 'customers', { name: 'Ana' }],
        ['GET', `customers/${ID}`, undefined],
        ['PATCH', `customers/${ID}`, { phone: null }],
        ['GET', `customers?limit=3&starting_after=${ID}`, undefined],
        ['GET', `customers/${ID}/payment_methods`, undefined],
        ['GET', `payment_methods?customer=${ID}`, undefined],
        ['GET', `payment_methods/${ID}`, undefined],
        ['DELETE', `payment_methods/${ID}`, undefined],
        ['POST', 'products', { name: 'Plan' }],
        ['GET', `products/${ID}`, undefined],
        ['PATCH', `products/${ID}`, { active: false }],
        ['GET', 'products?active=true', undefined],
        ['POST', 'prices', { product: ID, unit_amount: 2500 }],
        ['GET', `prices/${ID}`, undefined],
        ['PATCH', `prices/${ID}`, { metadata: null }],
        ['GET', `prices?product=${ID}&active=false`, undefined],
        ['GET', 'test_clock', undefined],
        ['POST', 'subscriptions', { customer: ID, price: ID }],
        ['GET', `subscriptions/${ID}`, undefined],
        ['GET', 'subscriptions?status=active', undefined],
        ['GET', `subscriptions/${ID}/payments?limit=2`, undefined],
        ['GET', `subscriptions/${ID}/payments/${ID}`, undefined],
        ['POST', `subscriptions/${ID}`, { cancel_at_period_end: true }],
        ['DELETE', `subscriptions/${ID}`, undefined],
        ['DELETE', `subscriptions/${ID}`, { reason: 'Moved' }],
        ['POST', `subscriptions/${ID}/pause/preview`, { mode: 'immediate' }],
        ['POST', `subscriptions/${ID}/pause`, { mode: 'period_end' }],
        ['POST', `subscriptions/${ID}/pause-at-period-end/undo`, undefined],
        ['POST', `subscriptions/${ID}/resume/preview`, { billing_cycle_anchor: 'now' }],
        ['POST', `subscriptions/${ID}/resume`, { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' }],
      ],
    )
  })

  for (const id of ['', '..', 'a/b', '%2e%2e', '?limit=1', undefined as unknown as string]) {
    test(`never goes to another path for the id ${JSON.stringify(id)}`, async () => {
      const { rialto, sent } = clientOf([{}])

      await rejects(rialto.products.retrieve(id), TypeError)
      await rejects(rialto.paymentMethods.detach(id), TypeError)
      throws(() => rialto.customers.listPaymentMethods(id), TypeError)

      equal(sent.length, 0)
    })
  }

  test('keeps the path of baseUrl', async () => {
    const { rialto, sent } = clientOf([{ body: { data: {} } }], { baseUrl: new URL('https://pay.example/rialto/') })

    await rialto.account.retrieve()

    equal(sent[0]?.url, 'https://pay.example/rialto/api/v1/account')
  })
})

describe('Redirects', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`HTTP ${status} is refused, so the key is sent nowhere else`, async () => {
      const { rialto, sent } = clientOf([{ status, headers: { location: 'https://other.example/' } }])

      await rejects(rialto.account.retrieve(), { name: 'ApiError', code: 'redirect_refused', status })

      equal(sent.length, 1)
    })
  }
})
