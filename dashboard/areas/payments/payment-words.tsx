import type { PaymentRow } from '../../../contract/dashboard/payment-row.ts'
import { cardName } from '../../kit/card-name.ts'
import { fill, type useTexts } from '../../kit/texts.ts'
import type { PAYMENT_TEXTS } from './texts/texts.ts'

export type Texts = ReturnType<typeof useTexts<(typeof PAYMENT_TEXTS)['english']>>

/** Returns a text for what the customer paid for. */
export function whatOf({ kind, installment, description }: PaymentRow, t: Texts): string {
  if (installment?.of) return fill(t.installmentOf, { number: installment.number, of: installment.of })
  return description ?? t[kind]
}

/** Whether the bill was tried before. */
export const isRepeated = ({ attempt }: PaymentRow): boolean => attempt !== null && attempt > 1

export const attemptOf = ({ attempt }: PaymentRow, t: Texts): string => fill(t.attemptOf, { number: attempt ?? 1 })

/** Returns the number of the batch, or a text that says that the batch is still open. */
export function batchOf({ batch_number: number, status }: PaymentRow, t: Texts): string {
  if (number !== null) return String(number)
  return KEPT.includes(status) ? t.inOpenBatch : '–'
}

/** Statuses of payments that belong to a batch, including refunded ones. */
const KEPT: readonly PaymentRow['status'][] = ['succeeded', 'partially_refunded', 'refunded']

export const customerOf = ({ customer }: Pick<PaymentRow, 'customer'>): string | null =>
  customer && (customer.name ?? customer.email)

export const cardOf = ({ card }: Pick<PaymentRow, 'card'>): string | null => card && cardName(card.brand, card.last4)
