import type { SessionPayment } from '../../checkout/pay/session-payment.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { ApprovedResult } from '../../gateway/gateway.ts'
import type { NewSale } from '../../payments/new-operation.ts'
import type { Payment } from '../../payments/payment.ts'
import { type NewSubscriptionPayment, newSubscriptionPayment } from '../../payments/subscription-payment.ts'
import type { Bill } from '../bill.ts'
import type { Subscription } from '../subscription.ts'
import type { SignUpParties } from './party-queries.ts'
import type { Start } from './start.ts'

export interface FirstSale {
  operation: NewSale
  result: ApprovedResult
  /** Payment as the session shows it. */
  transaction: Payment
}

/** Data from which a sign-up is recorded. */
export interface SignUpInput {
  payment: SessionPayment
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
export function expectedIds({ customerId, newCustomer, card }: SignUpParties, { card: { stored } }: SessionPayment) {
  const ids = { customerId: customerId ?? newCustomer?.id, storedCardId: stored?.id ?? card?.stored.id }
  if (!ids.customerId || !ids.storedCardId) throw new Error('a sign-up has a customer and a card that is kept')
  return { customerId: ids.customerId, storedCardId: ids.storedCardId }
}

/** Returns the payment of a first bill as a payment of the subscription. */
export function billPayment(
  { operation, transaction }: FirstSale,
  { id: subscriptionId, taxAmount, customerId, storedCardId }: Subscription,
  bill: Bill | undefined,
  { card, loaded }: SessionPayment,
): NewSubscriptionPayment {
  if (!bill) throw new Error('a paid bill is written')
  const { code, message, issuerReference, surchargeAmount, createdAt } = transaction
  const of = newSubscriptionPayment(
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
