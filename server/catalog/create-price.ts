import type { PriceCreate } from '../../contract/price.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { newEvent } from '../events/event.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Cents } from '../lib/money.ts'
import { readCadence } from './cadence.ts'
import { type Price, priceObject } from './price.ts'
import { insertPrice } from './price-queries.ts'
import { noSuchProduct } from './product.ts'

/**
 * Creates a price in the currency of the business.
 *
 * @throws ApiError `validation_failed` for an unsupported cadence; `not_found` for an unknown product
 * @see CAT-4, CAT-5
 */
export async function createPrice(
  { db, clock }: { db: Db; clock: Clock },
  { business, input }: { business: Business; input: PriceCreate },
): Promise<Price> {
  const { product: productId, unit_amount: unitAmount, recurring, nickname = null, active, metadata = {} } = input
  const createdAt = businessNow(clock, business)
  const price: Price = {
    id: newId(),
    productId,
    unitAmount: unitAmount as Cents,
    currency: business.currency,
    cadence: recurring ? readCadence(recurring) : null,
    nickname,
    active,
    metadata,
    createdAt,
  }
  const event = newEvent({
    businessId: business.id,
    type: 'price.created',
    objectId: price.id,
    data: { object: priceObject(price) },
    createdAt,
  })
  if (!(await insertPrice(db, price, event))) throw noSuchProduct('product')
  return price
}
