import type { OpenOperation } from '../../../contract/dashboard/payments-api.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { StoredOpenOperation } from './open-operations-queries.ts'
import { kindOf } from './payment-filter.ts'
import { shownCurrency } from './payment-row.ts'

/** Returns an operation as the page of open operations shows it. */
export function openOperation(open: StoredOpenOperation): OpenOperation {
  const { customerId: id, customerName: name, customerEmail: email, cardBrand: brand, cardLast4: last4 } = open
  return {
    id: open.id,
    object: 'operation',
    kind: open.kind,
    state: open.state as OpenOperation['state'],
    amount: open.amount,
    currency: shownCurrency(open.currency),
    payment: open.paymentId ?? open.saleId,
    payment_kind: kindOf(open.ownerKind),
    blocks: blockedBy(open),
    customer: id === null && name === null && email === null ? null : { id, name, email },
    card:
      brand === null || last4 === null
        ? null
        : { brand, first6: open.cardFirst6, last4, payment_method: open.storedCardId },
    sent_at: epochSeconds(open.sentAt),
    inquiries: open.inquiries,
    last_inquiry_at: open.lastInquiryAt && epochSeconds(open.lastInquiryAt),
    next_inquiry_at: open.nextInquiryAt && epochSeconds(open.nextInquiryAt),
    not_found_since: open.notFoundSince && epochSeconds(open.notFoundSince),
    needs_attention: open.needsAttention,
  }
}

/** Returns what cannot go on until the outcome is known. */
export function blockedBy({ kind, sessionId, subscriptionId, openCardSale }: StoredOpenOperation) {
  const isSale = kind === 'sale' || kind.startsWith('reversal')
  return {
    session: isSale ? sessionId : null,
    subscription: isSale ? subscriptionId : null,
    payment_method: openCardSale,
  }
}
