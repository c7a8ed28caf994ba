import type { PaymentRow, PaymentRowStatus } from '../../../contract/dashboard/payment-row.ts'
import { cardName } from '../../kit/card-name.ts'
import { Status, type Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { PAYMENT_TEXTS } from './texts/texts.ts'

export type Texts = ReturnType<typeof useTexts<(typeof PAYMENT_TEXTS)['english']>>

const TONES: Record<PaymentRowStatus, Tone> = {
  succeeded: 'good',
  partially_refunded: 'info',
  refunded: 'plain',
  voided: 'plain',
  failed: 'bad',
  pending: 'warn',
  reversed: 'plain',
  not_charged: 'plain',
}

export function PaymentStatus({ status }: { status: PaymentRowStatus }) {
  const t = useTexts(PAYMENT_TEXTS)
  return <Status tone={TONES[status]}>{t[status]}</Status>
}

/** What the customer paid for. */
export function whatOf({ kind, installment, description }: PaymentRow, t: Texts): string {
  if (installment?.of) return fill(t.installmentOf, { number: installment.number, of: installment.of })
  return description ?? t[kind]
}

/** A bill was tried before. */
export const isRepeated = ({ attempt }: PaymentRow): boolean => attempt !== null && attempt > 1

export const attemptOf = ({ attempt }: PaymentRow, t: Texts): string => fill(t.attemptOf, { number: attempt ?? 1 })

/** The number of its batch; of a payment whose batch is open, that. */
export function batchOf({ batch_number: number, status }: PaymentRow, t: Texts): string {
  if (number !== null) return String(number)
  return status === 'succeeded' || status === 'partially_refunded' ? t.inOpenBatch : '–'
}

export const customerOf = ({ customer }: Pick<PaymentRow, 'customer'>): string | null =>
  customer && (customer.name ?? customer.email)

export const cardOf = ({ card }: Pick<PaymentRow, 'card'>): string | null => card && cardName(card.brand, card.last4)
