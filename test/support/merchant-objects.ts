import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'

/** The id of one object of each kind, by the path segment before it. */
export type MerchantObjects = Record<
  'customers' | 'payment_methods' | 'products' | 'prices' | 'subscriptions' | 'payments' | 'refunds' | 'batches',
  string
>

/**
 * Creates one object of each kind. @param business the owner: the demo business, or another whose `demo` replaces it
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
  return { customers: customerId, payment_methods: cardId, products, prices, subscriptions, payments, refunds, batches }
}

/** Every mounted route of the merchant API, so that a new route is tested automatically. */
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
