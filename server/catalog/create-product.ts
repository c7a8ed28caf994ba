import type { ProductCreate } from '../../contract/product.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { newEvent } from '../events/event.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type Product, productObject } from './product.ts'
import { insertProduct } from './product-queries.ts'

export async function createProduct(
  { db, clock }: { db: Db; clock: Clock },
  { business, input }: { business: Business; input: ProductCreate },
): Promise<Product> {
  const { name, description = null, active, metadata = {} } = input
  const createdAt = businessNow(clock, business)
  const product: Product = { id: newId(), name, description, active, metadata, createdAt }
  const event = newEvent({
    businessId: business.id,
    type: 'product.created',
    objectId: product.id,
    data: { object: productObject(product) },
    createdAt,
  })
  await insertProduct(db, product, event)
  return product
}
