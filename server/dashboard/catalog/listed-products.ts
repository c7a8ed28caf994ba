import type { ListedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { findPrices } from '../../catalog/price-queries.ts'
import type { Product } from '../../catalog/product.ts'
import type { Db } from '../../db/connection.ts'
import { listedProduct } from './catalog-objects.ts'
import { countActivePrices } from './catalog-queries.ts'

/** Returns products with the number of their active prices, and the price itself where there is only one. */
export async function withPrices(db: Db, businessId: string, products: readonly Product[]): Promise<ListedProduct[]> {
  const ids = products.map(({ id }) => id)
  const active = await countActivePrices(db, businessId, ids)
  const only = [...active.values()].filter(({ count }) => count === 1).map(({ priceId }) => priceId)
  const prices = await findPrices(db, businessId, only)
  return products.map((product) => {
    const { count = 0, priceId = '' } = active.get(product.id) ?? {}
    return listedProduct(product, count, prices.get(priceId) ?? null)
  })
}
