import type { ApprovedResult } from '../gateway/gateway.ts'
import { newId } from '../lib/ids.ts'
import { type Cents, type Currency, decimalFromCents } from '../lib/money.ts'
import type { Card } from '../vault/card.ts'
import { associationOf, maskedCard } from '../vault/card-brands.ts'
import type { Operation } from './operation.ts'
import { newReceiptId } from './payment.ts'

/** Payment made by one approved sale. */
export interface ApprovedPayment {
  businessId: string
  id: string
  operationId: string
  sessionId: string | null
  customerId: string | null
  storedCardId: string | null
  amount: Cents
  surchargeAmount: Cents
  currency: Currency
  code: string
  message: string
  /** The number printed on the receipt. */
  receiptId: string
  /** `null` for a failed payment. */
  issuerReference: string | null
  cardBrand: string
  cardFirst6: string
  cardLast4: string
  /** Where the card data came from: `new_card`, `saved_card`, `google_pay`. */
  source: string
  createdAt: Date
}

/** Returns the payment of an approved sale. */
export function approvedPayment(
  { businessId, id, owner, amount, currency }: Operation,
  { code, message, issuerReference }: ApprovedResult,
  {
    card,
    ...more
  }: { card: Pick<Card, 'brand' | 'first6' | 'last4' | 'stored' | 'wallet'> } & Pick<
    ApprovedPayment,
    'customerId' | 'surchargeAmount' | 'createdAt'
  >,
): ApprovedPayment {
  return {
    ...more,
    businessId,
    id: newId(),
    operationId: id,
    sessionId: owner.kind === 'session' ? owner.id : null,
    storedCardId: card.stored?.id ?? null,
    amount,
    currency,
    code,
    message,
    receiptId: newReceiptId(),
    issuerReference,
    cardBrand: card.brand,
    cardFirst6: card.first6,
    cardLast4: card.last4,
    source: sourceOf(card),
  }
}

/** Returns the payment method, by its name in a pay request. */
export function sourceOf({
  stored,
  wallet,
}: Pick<Card, 'stored' | 'wallet'>): 'new_card' | 'saved_card' | 'google_pay' {
  if (wallet) return wallet.kind
  return stored ? 'saved_card' : 'new_card'
}

/**
 * Returns the `transaction` of API responses, with the field names of both checkout sessions and modal sessions.
 * Amounts are in major units.
 *
 * @see CHK-35
 */
export function transactionView(payment: ApprovedPayment) {
  return {
    id: payment.id,
    transactionID: payment.id,
    receipt_id: payment.receiptId,
    receiptID: payment.receiptId,
    code: payment.code,
    response_code: payment.code,
    message: payment.message,
    card: maskedCard(payment.cardFirst6, payment.cardLast4),
    association: associationOf(payment.cardBrand),
    details: {
      association: associationOf(payment.cardBrand),
      amount: decimalFromCents(payment.amount),
      issuer_reference: payment.issuerReference,
      source: payment.source,
    },
  }
}
