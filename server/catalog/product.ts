import type { Metadata } from '../../contract/formats.ts'
import type { Product as ProductObject, ProductWithPrices } from '../../contract/product.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { type Price, priceObject } from './price.ts'

/** What a merchant sells. */
export interface Product {
  id: string
  name: string
  description: string | null
  /** An inactive one takes no new subscriptions; those it has go on. */
  active: boolean
  metadata: Metadata
  createdAt: Date
}

/** As lists, and its events, show it. */
export function productObject({ id, name, description, active, metadata, createdAt }: Product): ProductObject {
  return { id, object: 'product', name, description, active, metadata, created: epochSeconds(createdAt) }
}

/** @param prices newest first */
export function productWithPrices(product: Product, prices: Price[]): ProductWithPrices {
  return { ...productObject(product), prices: prices.map(priceObject) }
}

/** @param field the parameter that named it */
export const noSuchProduct = (field: 'id' | 'product') =>
  new ApiError('not_found', {
    message: 'No such product',
    errors: { [field]: ['is no product of this business'] },
  })
