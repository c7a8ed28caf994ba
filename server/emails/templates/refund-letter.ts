import type { Cents } from '../../lib/money.ts'
import type { PaymentFacts } from './letter-facts.ts'
import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'

export interface RefundFacts {
  /** Amount of this refund. */
  amount: Cents
  /** Total of all refunds of the payment. */
  refundedAmount: Cents
  /** `rest`: the payment had been refunded in part, and now nothing of it is left. */
  extent: 'whole' | 'rest' | 'part'
  at: Date
  receiptId: string | null
  payment: PaymentFacts
}

/** @see LTR-6 */
export function refundLetter(words: LetterWords, refund: RefundFacts): LetterContent {
  const { say, row, money, date } = words
  const { payment, refundedAmount } = refund
  const { currency, card } = payment
  const amount = money(refund.amount, currency)
  const isFirst = refundedAmount === refund.amount
  return {
    subject: say('refund_subject', { amount }),
    preheader: say('refund_preheader'),
    heading: say('refund_heading'),
    amount,
    paragraphs: [say(`refund_${refund.extent}`), say('refund_when')],
    rows: [
      ...row('refunded', amount, { strong: true }),
      ...row('refunded_in_all', isFirst ? null : money(refundedAmount, currency)),
      ...row('refund_date', date(refund.at)),
      ...row('card', card && say('card_ending', { brand: card.brand, last4: card.last4 })),
      ...row('original_payment', money(payment.amount, currency)),
      ...row('payment_date', date(payment.at)),
      ...row('subscription', payment.subscription?.description ?? null),
      ...row('receipt', refund.receiptId),
    ],
    button: null,
    notes: [],
  }
}
