import { findPrices } from '../catalog/price-queries.ts'
import { findProductNames } from '../catalog/product-queries.ts'
import type { Db } from '../db/connection.ts'
import type { Subscription } from '../subscriptions/subscription.ts'

/** Returns names and quantities of what is charged. */
export async function readDescriptions(
  db: Db,
  businessId: string,
  subscriptions: readonly Pick<Subscription, 'items'>[],
): Promise<(one: Pick<Subscription, 'items'>) => string> {
  const priceIds = subscriptions.flatMap(({ items }) => items.map(({ priceId }) => priceId))
  const prices = await findPrices(db, businessId, [...new Set(priceIds)])
  const productIds = [...prices.values()].map(({ productId }) => productId)
  const names = await findProductNames(db, businessId, [...new Set(productIds)])
  return ({ items }) =>
    items
      .map(({ priceId, quantity }) => {
        const name = names.get(prices.get(priceId)?.productId ?? '') ?? ''
        return quantity === 1 ? name : `${name}\u00a0×\u00a0${quantity}`
      })
      .join(', ')
}
