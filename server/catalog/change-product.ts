import type { ProductUpdate } from '../../contract/product.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { changeEvent } from '../events/change-event.ts'
import type { Clock } from '../lib/clock.ts'
import { noSuchProduct, type Product, productObject } from './product.ts'
import { lockProduct, updateProduct } from './product-queries.ts'

/**
 * Changes the given fields of a product. A change without effect records no event.
 *
 * @throws ApiError `not_found`
 */
export function changeProduct(
  { db, clock }: { db: Db; clock: Clock },
  { business, id, change }: { business: Business; id: string; change: ProductUpdate },
): Promise<Product> {
  return transaction(db, async (tx) => {
    const before = await lockProduct(tx, business.id, id)
    if (!before) throw noSuchProduct('id')
    const product = changed(before, change)
    const event = changeEvent({
      businessId: business.id,
      type: 'product.updated',
      before: productObject(before),
      after: productObject(product),
      createdAt: businessNow(clock, business),
    })
    if (event) await updateProduct(tx, product, event)
    return product
  })
}

/** Applies a change: absent fields stay, `null` clears a field. */
function changed(before: Product, { name, description, active, metadata }: ProductUpdate): Product {
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(active !== undefined && { active }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  }
}
