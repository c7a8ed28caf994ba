import type { Cents } from '../../lib/money.ts'
import type { InvoicePayment } from '../invoices/invoice.ts'
import type { DraftInvoice } from './letter-draft.ts'
import type { LetterCard, LetterPayment, LetterSubscription } from './letter-sources.ts'

/** Drafts the invoice of a payment. @see LTR-16 */
export function paymentInvoice(paid: LetterPayment, subscription: LetterSubscription): DraftInvoice | null {
  if (paid.card === null) return null
  const { id: paymentId, amount: total, taxAmount: tax, surchargeAmount: surcharge, number, period, createdAt } = paid
  const { brandCode: brand, last4 } = paid.card
  const payment: InvoicePayment = { status: 'paid', at: createdAt.toISOString(), card: { brand, last4 } }
  const source = sourceOf(subscription, { total, tax, surcharge }, { number, payment, period })
  return { subscriptionId: subscription.id, paymentId, source }
}

/** Drafts the invoice of a subscription that is charged later. */
export function laterInvoice(subscription: LetterSubscription, card: LetterCard): DraftInvoice {
  const { id: subscriptionId, amount: total, taxAmount: tax, surchargeAmount: surcharge, startDate } = subscription
  const payment: InvoicePayment = { status: 'due', on: startDate, card: { brand: card.brandCode, last4: card.last4 } }
  const source = sourceOf(subscription, { total, tax, surcharge }, { number: 1, payment, period: null })
  return { subscriptionId, paymentId: null, source }
}

function sourceOf(
  { lines, description, taxRatePpm, surchargeRatePpm, timeZone, currency, installments }: LetterSubscription,
  { total, tax, surcharge }: Record<'total' | 'tax' | 'surcharge', Cents>,
  { number, payment, period }: { number: number } & Pick<DraftInvoice['source'], 'payment' | 'period'>,
): DraftInvoice['source'] {
  const base = (total - tax - surcharge) as Cents
  const sum = lines.reduce((total, { unitAmount, quantity }) => total + unitAmount * quantity, 0)
  return {
    timeZone,
    currency,
    lines: sum === base ? lines : [{ name: description, quantity: 1, unitAmount: base }],
    tax: { ratePpm: taxRatePpm, amount: tax },
    surcharge: { ratePpm: surchargeRatePpm, amount: surcharge },
    total,
    payment,
    installment: { number, of: installments },
    period,
  }
}
