import { type Business, businessNow } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { newEvent } from '../events/event.ts'
import type { Clock } from '../lib/clock.ts'
import { type ListedCard, noSuchPaymentMethod, paymentMethodObject } from './payment-method.ts'
import { lockPaymentMethod, markDetached } from './payment-method-queries.ts'

/**
 * Detaches a card: it can no longer be charged and is no longer listed. Detaching it again changes nothing.
 *
 * @throws ApiError `not_found`
 * @see CUS-17
 */
export async function detachPaymentMethod(
  { db, clock }: { db: Db; clock: Clock },
  { business, id }: { business: Business; id: string },
): Promise<ListedCard> {
  return transaction(db, async (tx) => {
    const before = await lockPaymentMethod(tx, business.id, id)
    if (!before) throw noSuchPaymentMethod()
    if (before.detachedAt !== null) return before
    const createdAt = businessNow(clock, business)
    const detached = { ...before, detachedAt: createdAt }
    const data = { object: paymentMethodObject(detached), previous_attributes: { status: 'active' } }
    const { id: businessId } = business
    const event = newEvent({ businessId, type: 'payment_method.detached', objectId: id, data, createdAt })
    await markDetached(tx, event)
    return detached
  })
}
