import { v5 } from 'uuid'
import type { NewEvent } from '../events/event.ts'
import { newEvent } from '../events/event.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Cadence } from './cadence.ts'
import { type Price, priceObject } from './price.ts'
import { type Product, productObject } from './product.ts'

/** A plan, which a checkout session names instead of a price. */
export interface Plan {
  businessId: string
  name: string
  unitAmount: Cents
  currency: Currency
  cadence: Cadence
}

/** Inactive product and price of a plan, shared by all subscriptions to the same plan. */
export interface PlanPrice {
  product: Product
  price: Price
  events: { product: NewEvent; price: NewEvent }
}

/**
 * Returns product and price of a plan: a subscription has a price, but a checkout session names only an amount. The ids
 * are derived from the content, so that the catalog grows with plans and not with payers. Both are inactive: they are
 * not for sale through the merchant API.
 */
export function planPrice({ businessId, name, unitAmount, currency, cadence }: Plan, createdAt: Date): PlanPrice {
  const productId = v5(`plan ${name}`, businessId)
  const shared = { active: false, metadata: {}, createdAt }
  const product: Product = { ...shared, id: productId, name, description: null }
  const priceId = v5(`${unitAmount} ${currency} ${cadence.interval} ${cadence.count}`, productId)
  const price: Price = { ...shared, id: priceId, productId, unitAmount, currency, cadence, nickname: null }
  const event = (type: 'product.created' | 'price.created', objectId: string, object: object) =>
    newEvent({ businessId, type, objectId, data: { object }, createdAt })
  return {
    product,
    price,
    events: {
      product: event('product.created', productId, productObject(product)),
      price: event('price.created', priceId, priceObject(price)),
    },
  }
}
