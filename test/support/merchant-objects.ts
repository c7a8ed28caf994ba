import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'

/** One object of each kind that a path of the merchant API names, by the word that stands before its id. */
export type MerchantObjects = Record<'customers' | 'payment_methods' | 'products' | 'prices', string>

/** Makes one of each. @param business whose they are: the demo one's, or another with its `demo` put over the service */
export async function makeObjects(business: TestService): Promise<MerchantObjects> {
  const api = merchantApiOf(business)
  const { customerId, cardId } = await storeCard(business, `${newId()}@example.com`)
  const { id: products } = await api.made('/products', { name: 'Gold', description: 'Old', metadata: { a: 1 } })
  const { id: prices } = await api.made('/prices', { product: products, unit_amount: 100, nickname: 'Old' })
  return { customers: customerId, payment_methods: cardId, products, prices }
}

/** Every route of the merchant API that is mounted: a new one is tested at once. */
export function merchantRoutesOf({ app }: Pick<TestService, 'app'>): Route[] {
  return app.routes.filter(({ access, path }) => access.name === 'secret key' || path.startsWith('/api/v1'))
}

/**
 * The path with ids for its parameters.
 *
 * @throws for a kind of object that nobody makes here yet
 */
export function pathTo({ path }: Pick<Route, 'path'>, objects: MerchantObjects): string {
  return path.replace(/(\w+)\/\{id\}/g, (_whole, kind: string) => {
    const id = objects[kind as keyof MerchantObjects]
    if (id === undefined) throw new Error(`No test makes one of ${kind}`)
    return `${kind}/${id}`
  })
}
