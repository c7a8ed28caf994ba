import type { EditedPrice, EditedProduct, ListedProduct } from '../../../contract/dashboard/catalog-api.ts'
import { type Price, priceObject } from '../../catalog/price.ts'
import { type Product, productObject } from '../../catalog/product.ts'
import type { Page } from '../../db/page.ts'
import { versionOf } from '../version.ts'

// Objects of the merchant API, with a version of the members that a person may edit.

export function editedPrice(price: Price): EditedPrice {
  const object = priceObject(price)
  const { nickname, active, metadata } = object
  return { ...object, version: versionOf({ nickname, active, metadata }) }
}

function withVersion(product: Product) {
  const object = productObject(product)
  const { name, description, active, metadata } = object
  return { ...object, version: versionOf({ name, description, active, metadata }) }
}

/** @param prices first page of the product's prices, newest first */
export function editedProduct(product: Product, { rows, hasMore }: Page<Price>): EditedProduct {
  return { ...withVersion(product), prices: rows.map(editedPrice), prices_has_more: hasMore }
}

/** @param price the product's only active price; otherwise `null` */
export function listedProduct(product: Product, activePrices: number, price: Price | null): ListedProduct {
  return { ...withVersion(product), view: { active_prices: activePrices, price: price && priceObject(price) } }
}
