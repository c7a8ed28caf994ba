import type { Metadata } from '../../contract/formats.ts'
import type { Product as ProductObject, ProductWithPrices } from '../../contract/product.ts'
import type { Page } from '../db/page.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { type Price, priceObject } from './price.ts'

/** What a merchant sells. */
export interface Product {
  id: string
  name: string
  description: string | null
  /** An inactive product accepts no new subscriptions; existing ones continue. */
  active: boolean
  metadata: Metadata
  createdAt: Date
}

/** Returns the product as lists and events show it. */
export function productObject({ id, name, description, active, metadata, createdAt }: Product): ProductObject {
  return { id, object: 'product', name, description, active, metadata, created: epochSeconds(createdAt) }
}

/** @param prices first page of the prices, newest first */
export function productWithPrices(product: Product, { rows, hasMore }: Page<Price>): ProductWithPrices {
  return { ...productObject(product), prices: rows.map(priceObject), prices_has_more: hasMore }
}

/** @param field parameter that named the product */
export const noSuchProduct = (field: 'id' | 'product') =>
  new ApiError('not_found', {
    message: 'No such product',
    errors: { [field]: ['does not exist in this business'] },
  })
