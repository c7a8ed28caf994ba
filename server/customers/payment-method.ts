import type { PaymentMethod } from '../../contract/payment-method.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import type { StoredCard } from './stored-card.ts'

/** A stored card, attached or detached. */
export interface ListedCard extends Pick<StoredCard, 'id' | 'brand' | 'last4' | 'expMonth' | 'expYear'> {
  customerId: string
  createdAt: Date
  /** `null` until the card is detached. */
  detachedAt: Date | null
}

/** Returns the payment method as the merchant API and its events show it. */
export function paymentMethodObject({ customerId, ...card }: ListedCard): PaymentMethod {
  return { ...cardObject(card), customer: customerId }
}

/** Returns the payment method without its customer, for an event that is built before the customer is known. */
export function cardObject(card: Omit<ListedCard, 'customerId'>): Omit<PaymentMethod, 'customer'> {
  const { id, brand, last4, expMonth, expYear, createdAt, detachedAt } = card
  return {
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
    status: detachedAt === null ? 'active' : 'detached',
    created: epochSeconds(createdAt),
  }
}

export const noSuchPaymentMethod = () =>
  new ApiError('not_found', {
    message: 'No such payment method',
    errors: { id: ['does not exist in this business'] },
  })
