import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../server/lib/ids.ts'
import { clientOf as fakeClientOf } from '../test/support/sdk-client.ts'
import { openService, type TestService } from '../test/support/service.ts'
import { storeCard } from '../test/support/stored-card.ts'
import { payForSubscription } from '../test/support/subscription-payment.ts'
import { RateLimitError } from './errors.ts'
import { Rialto } from './rialto.ts'

const REQUESTS_A_MINUTE = 60

const clientOf = ({ url, demo }: TestService) => new Rialto({ apiKey: demo.api_key, baseUrl: url })

describe('The SDK against the service', () => {
  let service: TestService
  before(async () => {
    service = await openService()
  })
  after(() => service.close())

  test('finds a stored card, by its customer too, and takes it off file, twice alike', async () => {
    const { paymentMethods, customers } = clientOf(service)
    const { customerId, cardId } = await storeCard(service, 'sdk-card@example.com')

    const card = await paymentMethods.retrieve(cardId)
    deepEqual([card.status, card.card.last4, card.customer], ['active', '4242', customerId])
    deepEqual((await customers.listPaymentMethods(customerId)).data, [card])
    deepEqual((await paymentMethods.list({ customer: customerId })).data, [card])

    deepEqual(await paymentMethods.detach(cardId), { ...card, status: 'detached' })
    deepEqual(await paymentMethods.detach(cardId), { ...card, status: 'detached' })
    deepEqual((await paymentMethods.list({ customer: customerId })).data, [])
  })

  test('goes from an old customer to newer ones by ending_before', async () => {
    const { customers } = clientOf(service)
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.push((await customers.create({ name: `Number ${made}` })).id)

    const newer = await Array.fromAsync(customers.list({ limit: 2, ending_before: ids[0] as string }))

    deepEqual(
      newer.map(({ id }) => id),
      ids.slice(1),
    )
  })

  test('makes a webhook endpoint, tests and changes it, and reads and redelivers its events', async () => {
    const { webhookEndpoints, events, products } = clientOf(service)
    const made = await webhookEndpoints.create({ url: 'https://shop.example/webhooks', enabled_events: ['*'] })
    const { secret, ...endpoint } = made
    ok(secret.startsWith('whsec_'))
    deepEqual(await webhookEndpoints.retrieve(made.id), endpoint)
    deepEqual((await webhookEndpoints.list()).data, [endpoint])

    const ping = await webhookEndpoints.test(made.id)
    deepEqual([ping.type, await events.retrieve(ping.id)], ['ping', ping])
    const [delivery] = await events.listDeliveries(ping.id)
    deepEqual([delivery?.webhook_endpoint, delivery?.status], [made.id, 'pending'])
    deepEqual(await events.redeliver(ping.id), { object: 'redelivery', deliveries: 1 })

    const product = await products.create({ name: 'Gold' })
    deepEqual((await events.list({ object: product.id })).data[0]?.type, 'product.created')
    await webhookEndpoints.update(made.id, { status: 'disabled' })
    await webhookEndpoints.update(made.id, { status: 'enabled' })
    const since = Math.floor(Date.now() / 1000) - 60
    equal((await webhookEndpoints.redeliver(made.id, { since, status: ['canceled'] })).deliveries, 2)

    equal((await webhookEndpoints.rotateSecret(made.id)).secret === secret, false)
    equal((await webhookEndpoints.delete(made.id)).deleted, true)
    deepEqual((await webhookEndpoints.list()).data, [])
  })

  test('refunds and voids payments, and finds them in their batch', async () => {
    const { refunds, voids, batches } = clientOf(service)
    const stored = await storeCard(service, 'sdk-refund@example.com')
    const [first, second] = [await payForSubscription(service, stored), await payForSubscription(service, stored)]

    const refund = await refunds.create({ payment: first.id, amount: 100 })
    deepEqual([refund.status, refund.amount], ['succeeded', 100])
    deepEqual(await refunds.retrieve(refund.id), refund)
    deepEqual((await refunds.list({ payment: first.id })).data, [refund])
    equal((await voids.create({ payment: second.id })).status, 'voided')

    const [batch] = (await batches.list()).data.filter(({ currency }) => currency === 'usd')
    ok(batch)
    deepEqual(await batches.retrieve(batch.id), batch)
    const ids = (await batches.listPayments(batch.id, { limit: 2 })).data.map(({ id }) => id)
    deepEqual(ids, [second.id, first.id])
  })

  test('sends a refund and a void once, also after 429', async () => {
    const { rialto, sent } = fakeClientOf([{ status: 429, headers: { 'retry-after': '1' }, body: {} }], {
      maxRetries: 5,
    })
    await rialto.refunds.create({ payment: newId() }).catch(() => {})
    equal(sent.length, 1)
  })

  test('clears with null, and leaves what is absent', async () => {
    const { customers } = clientOf(service)
    const made = await customers.create({ name: 'Ana', phone: '5145550100', metadata: { a: 1 } })

    const changed = await customers.update(made.id, { phone: null })

    deepEqual(changed, { ...made, phone: null })
    deepEqual(await customers.retrieve(made.id), changed)
  })
})

test(`The ${REQUESTS_A_MINUTE + 1}st request of a minute is a RateLimitError that says how long to wait`, async () => {
  await using service = await openService({ rateLimits: true })
  const { account } = clientOf(service)
  for (let made = 0; made < REQUESTS_A_MINUTE; made++) await account.retrieve({ maxRetries: 0 })

  const error = await account.retrieve({ maxRetries: 0 }).catch((thrown: unknown) => thrown)

  ok(error instanceof RateLimitError)
  deepEqual([error.status, error.code], [429, 'rate_limit_exceeded'])
  ok(error.retryAfter !== null && error.retryAfter > 0 && error.retryAfter <= 60, String(error.retryAfter))
  equal(error.requestId === null, false)
})
