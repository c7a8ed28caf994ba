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

/** An approved sale of the first bill. */
export interface FirstSale {
  operation: NewSale
  result: ApprovedResult
  /** The payment as the session shows it. */
  transaction: Payment
}

/** What a sign-up is recorded from. */
export interface SignUpInput {
  payment: SessionPayment
  /** As the payment has left it. */
  session: Session
  start: Start
  /** The first bill; `null` when the card was only verified. */
  first: FirstSale | null
  /** Of the verification. */
  networkTransactionId?: string | null
  /** In the business's time. */
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

/** The ids that the statement replaces where it finds the customer or the card that was stored meanwhile. */
export function expectedIds({ customerId, newCustomer, card }: SignUpParties, { card: { stored } }: SessionPayment) {
  const ids = { customerId: customerId ?? newCustomer?.id, storedCardId: stored?.id ?? card?.stored.id }
  if (!ids.customerId || !ids.storedCardId) throw new Error('a sign-up has a customer and a card that is kept')
  return { customerId: ids.customerId, storedCardId: ids.storedCardId }
}

/** The payment of a first bill as one of the subscription. */
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
