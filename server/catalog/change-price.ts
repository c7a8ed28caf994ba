import type { PriceUpdate } from '../../contract/price.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { changeEvent } from '../events/change-event.ts'
import type { Clock } from '../lib/clock.ts'
import { noSuchPrice, type Price, priceObject } from './price.ts'
import { lockPrice, updatePrice } from './price-queries.ts'

/**
 * Changes the nickname, metadata or active state of a price; nothing else can change. A change without effect records
 * no event.
 *
 * @throws ApiError `not_found`
 */
export function changePrice(
  { db, clock }: { db: Db; clock: Clock },
  { business, id, change }: { business: Business; id: string; change: PriceUpdate },
): Promise<Price> {
  return transaction(db, async (tx) => {
    const before = await lockPrice(tx, business.id, id)
    if (!before) throw noSuchPrice()
    const price = changed(before, change)
    const event = changeEvent({
      businessId: business.id,
      type: 'price.updated',
      before: priceObject(before),
      after: priceObject(price),
      createdAt: businessNow(clock, business),
    })
    if (event) await updatePrice(tx, price, event)
    return price
  })
}

/** Applies a change: absent fields stay, `null` clears a field. */
function changed(before: Price, { nickname, active, metadata }: PriceUpdate): Price {
  return {
    ...before,
    ...(nickname !== undefined && { nickname }),
    ...(active !== undefined && { active }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  }
}
