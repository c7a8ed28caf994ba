import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import type { Operation } from '../operation.ts'
import type { MoneyServices } from '../recovery/reverse-sale.ts'
import { saleView } from './sale-view.ts'

/**
 * `sale.failed`, when a saved-card sale ends without a response that its merchant got: the event is how they hear of it. A
 * session has events of its own, and its sale none.
 */
export async function failedSaleEvent(
  { db, clock }: Pick<MoneyServices, 'db' | 'clock'>,
  sale: Operation,
  { code = null, message = null }: { code?: string | null; message?: string | null },
): Promise<NewEvent | null> {
  if (sale.kind !== 'sale' || sale.sessionId !== null || sale.storedCard === null) return null
  const business = await findBusiness(db, sale.businessId)
  if (!business) throw new Error('A sale without its business')
  return saleFailed(
    sale,
    { status: 'Failed', code, message: message ?? 'No response in time' },
    businessNow(clock, business),
  )
}

export function saleFailed(
  sale: Operation,
  outcome: { status: 'Declined' | 'Failed'; code: string | null; message: string },
  createdAt: Date,
): NewEvent {
  const object = saleView(sale, { ...outcome, id: sale.id, receiptId: null })
  return newEvent({ businessId: sale.businessId, type: 'sale.failed', objectId: sale.id, data: { object }, createdAt })
}
