import { v5 } from 'uuid'
import type { NewEvent } from '../events/event.ts'
import { newEvent } from '../events/event.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Cadence } from './cadence.ts'
import { type Price, priceObject } from './price.ts'
import { type Product, productObject } from './product.ts'

/** What a checkout session names in place of a price. */
export interface Plan {
  businessId: string
  name: string
  unitAmount: Cents
  currency: Currency
  cadence: Cadence
}

/** The inactive product and price of a plan, which every subscription to the same plan shares. */
export interface PlanPrice {
  product: Product
  price: Price
  events: { product: NewEvent; price: NewEvent }
}

/**
 * A subscription has a price, but a checkout session names only an amount. The ids follow from the content, so that the
 * catalogue grows with plans and not with payers. Both are inactive: they are not for sale through the merchant API.
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
