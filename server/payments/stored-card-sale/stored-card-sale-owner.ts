import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { blockDeclinedCard } from '../charge-block.ts'
import type { ReversingOwner } from '../charge-owner.ts'
import type { Operation } from '../operation.ts'
import type { PaymentServices } from '../services.ts'
import { saleView } from './sale-view.ts'

/**
 * Returns the owner of saved-card sales. The merchant got "not confirmed", so an approval found later is reversed, and
 * `sale.failed` reports the final outcome.
 */
export function storedCardSaleOwner({ db, clock }: Pick<PaymentServices, 'db' | 'clock'>): ReversingOwner {
  return {
    kind: 'stored_card_sale',
    onRecoveredApproval: 'reverse',
    unconfirmedMessage: 'If it turns out to be approved, it will be reversed.',
    declined: blockDeclinedCard,
    async failed(sale, { code = null, message }) {
      const business = await findBusiness(db, sale.businessId)
      if (!business) throw new Error('the business of a sale is missing')
      const outcome = { status: 'Failed', code, message: message ?? 'No response in time' } as const
      return saleFailed(sale, outcome, businessNow(clock, business))
    },
  }
}

export function saleFailed(
  sale: Operation,
  outcome: { status: 'Declined' | 'Failed'; code: string | null; message: string },
  createdAt: Date,
): NewEvent {
  const object = saleView(sale, { ...outcome, id: sale.id, receiptId: null })
  return newEvent({ businessId: sale.businessId, type: 'sale.failed', objectId: sale.id, data: { object }, createdAt })
}
