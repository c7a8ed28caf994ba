import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { ApprovedResult } from '../../gateway/gateway.ts'
import type { ApprovedPayment } from '../../payments/approved-payment.ts'
import type { NewSale } from '../../payments/new-operation.ts'
import { type NewPayment, newPayment } from '../../payments/payment.ts'
import type { Bill } from '../bill.ts'
import type { Subscription } from '../subscription.ts'
import type { SignUpParties } from './party-queries.ts'
import type { Start } from './start.ts'

export interface FirstSale {
  operation: NewSale
  result: ApprovedResult
  /** Payment as the session shows it. */
  transaction: ApprovedPayment
}

/** Data from which a sign-up is recorded. */
export interface SignUpInput {
  payment: PayAttempt
  /** Session as the payment has left it. */
  session: Session
  start: Start
  /** Sale of the first bill; `null` if the card was only verified. */
  first: FirstSale | null
  /** Network id of the verification. */
  networkTransactionId?: string | null
  /** Current time in the business's time. */
  at: Date
}

const networkIdOf = ({ first, networkTransactionId }: SignUpInput): string | null =>
  (first ? first.result.networkTransactionId : networkTransactionId) ?? null

export function partiesOf(input: SignUpInput): SignUpParties {
  const { session, at } = input
  const { newCustomer, keptCard, customerId, payer, proof } = input.payment
  return {
    session,
    customerId,
    payer,
    newCustomer: newCustomer && { ...newCustomer, createdAt: at },
    card: keptCard && {
      sealed: keptCard.sealed,
      stored: {
        ...keptCard.stored,
        networkTransactionId: networkIdOf(input),
        dsTransactionId: proof?.dsTransactionId ?? null,
        createdAt: at,
      },
    },
    at,
  }
}

/** Returns the ids that the statement replaces if the customer or the card was stored meanwhile. */
export function expectedIds({ customerId, newCustomer, card }: SignUpParties, { card: { stored } }: PayAttempt) {
  const ids = { customerId: customerId ?? newCustomer?.id, storedCardId: stored?.id ?? card?.stored.id }
  if (!ids.customerId || !ids.storedCardId) throw new Error('a sign-up has a customer and a card that is kept')
  return { customerId: ids.customerId, storedCardId: ids.storedCardId }
}

/** Returns the payment of a first bill as a payment of the subscription. */
export function billPayment(
  { operation, transaction }: FirstSale,
  { id: subscriptionId, taxAmount, customerId, storedCardId }: Subscription,
  bill: Bill | undefined,
  { card, loaded }: PayAttempt,
): NewPayment {
  if (!bill) throw new Error('a paid bill is written')
  const { code, message, issuerReference, surchargeAmount, createdAt } = transaction
  const of = newPayment(
    operation,
    { code, message, issuerReference, status: 'succeeded' },
    {
      subscriptionId,
      billId: bill.id,
      customerId,
      storedCardId,
      card,
      trigger: 'initial',
      attempt: 1,
      taxAmount,
      surchargeAmount,
      period: { start: bill.periodStart, end: bill.periodEnd },
      createdAt,
      sessionId: loaded.session.id,
      source: card.stored ? 'saved_card' : 'new_card',
    },
  )
  return { ...of, id: transaction.id, receiptId: transaction.receiptId }
}
