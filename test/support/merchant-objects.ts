import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'

/** The id of one object of each kind, by the path segment before it. */
export type MerchantObjects = Record<
  | 'customers'
  | 'payment_methods'
  | 'products'
  | 'prices'
  | 'subscriptions'
  | 'payments'
  | 'refunds'
  | 'batches'
  | 'webhook_endpoints'
  | 'events',
  string
>

/**
 * Creates one object of each kind.
 *
 * @param business the owner: the demo business, or another one whose `demo` replaces it
 */
export async function makeObjects(business: TestService): Promise<MerchantObjects> {
  const api = merchantApiOf(business)
  const { customerId, cardId } = await storeCard(business, `${newId()}@example.com`)
  const { id: products } = await api.made('/products', { name: 'Gold', description: 'Old', metadata: { a: 1 } })
  const recurring = { interval: 'month' }
  const { id: prices } = await api.made('/prices', {
    product: products,
    unit_amount: 2_500,
    nickname: 'Old',
    recurring,
  })
  const subscribed = { customer: customerId, payment_method: cardId, price: prices }
  const { id: subscriptions, latest_payment: payments } = await api.made('/subscriptions', subscribed)
  const { id: refunds } = await api.made('/refunds', { payment: payments, amount: 1 })
  const { id: batches } = (await api.get('/batches')).body.data[0]
  const webhook_endpoints = await makeEndpoint(api)
  const { id: events } = (await api.post(`/webhook_endpoints/${webhook_endpoints}/test`)).body
  return {
    customers: customerId,
    payment_methods: cardId,
    products,
    prices,
    subscriptions,
    payments,
    refunds,
    batches,
    webhook_endpoints,
    events,
  }
}

/** Creates an endpoint, and deletes the older ones, because a business has at most 10. */
async function makeEndpoint(api: MerchantApiClient): Promise<string> {
  const { data } = (await api.get('/webhook_endpoints')).body
  for (const { id } of data.slice(5)) await api.delete(`/webhook_endpoints/${id}`)
  const endpoint = { url: 'https://shop.example/webhooks', enabled_events: ['payment.voided'] }
  return (await api.made('/webhook_endpoints', endpoint)).id
}

/** Returns every mounted route of the merchant API, so that a new route is tested automatically. */
export function merchantRoutesOf({ app }: Pick<TestService, 'app'>): Route[] {
  return app.routes.filter(({ access, path }) => access.name === 'secret key' || path.startsWith('/api/v1'))
}

/**
 * Fills in the ids of a path.
 *
 * @throws for a kind of object that is not created here yet
 */
export function pathTo({ path }: Pick<Route, 'path'>, objects: MerchantObjects): string {
  return path.replace(/(\w+)\/\{\w+\}/g, (_whole, kind: string) => {
    const id = objects[kind as keyof MerchantObjects]
    if (id === undefined) throw new Error(`No test makes one of ${kind}`)
    return `${kind}/${id}`
  })
}
