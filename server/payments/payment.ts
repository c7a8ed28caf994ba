import type { Payment as PaymentObject, PaymentStatus, PaymentTrigger } from '../../contract/payment.ts'
import { epochSeconds } from '../lib/clock.ts'
import { newId, randomBase32 } from '../lib/ids.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Card } from '../vault/card.ts'
import type { Operation } from './operation.ts'

/**
 * A payment of any kind, also a failed one. What only receipts and the dashboard show of it is in {@link NewPayment}
 * and `ApprovedPayment`.
 */
export interface Payment {
  businessId: string
  id: string
  /** Id of the sale. */
  operationId: string
  /** `null` for a payment of a session or a saved-card sale. */
  subscriptionId: string | null
  billId: string | null
  customerId: string | null
  storedCardId: string | null
  status: PaymentStatus
  amount: Cents
  surchargeAmount: Cents
  taxAmount: Cents
  currency: Currency
  refundedAmount: Cents
  /** Amount reserved by a refund whose outcome is open. */
  refundPendingAmount: Cents
  trigger: PaymentTrigger | null
  /** Counts the attempts of a bill from 1; `null` for other payments. */
  attempt: number | null
  /** The gateway's result code and message. */
  code: string
  message: string
  nextRetryAt: Date | null
  /** `YYYY-MM-DD` in the time zone of the subscription; the end is exclusive. `null` for other payments. */
  period: { start: string; end: string } | null
  terminalId: string | null
  batchId: string | null
  receiptId: string
  createdAt: Date
}

/** A payment of a subscription as it is inserted. */
export interface NewPayment extends Payment {
  subscriptionId: string
  /** `null` for a failed payment. */
  issuerReference: string | null
  card: Pick<Card, 'brand' | 'first6' | 'last4'>
  /** Session whose payment page started the subscription with this payment; `null` for other payments. */
  sessionId: string | null
  /** Where the card data came from. */
  source: 'saved_card' | 'new_card'
}

const RECEIPT_CHARACTERS = 10

/** Returns a new number for a receipt. */
export const newReceiptId = () => `R${randomBase32(RECEIPT_CHARACTERS)}`

/** Returns the payment for one attempt on a bill, once the gateway's result has ended the attempt. */
export function newPayment(
  sale: Pick<Operation, 'businessId' | 'id' | 'amount' | 'currency' | 'terminalId' | 'storedCard'>,
  result: Pick<NewPayment, 'code' | 'message' | 'issuerReference'> & { status: 'succeeded' | 'failed' },
  attempt: Pick<
    NewPayment,
    | 'subscriptionId'
    | 'billId'
    | 'customerId'
    | 'card'
    | 'trigger'
    | 'attempt'
    | 'taxAmount'
    | 'surchargeAmount'
    | 'period'
    | 'createdAt'
  > &
    Partial<Pick<NewPayment, 'sessionId' | 'nextRetryAt' | 'storedCardId' | 'source'>>,
): NewPayment {
  return {
    sessionId: null,
    source: 'saved_card',
    nextRetryAt: null,
    storedCardId: sale.storedCard?.id ?? null,
    ...attempt,
    ...result,
    businessId: sale.businessId,
    id: newId(),
    operationId: sale.id,
    amount: sale.amount,
    currency: sale.currency,
    refundedAmount: 0 as Cents,
    refundPendingAmount: 0 as Cents,
    terminalId: sale.terminalId,
    batchId: null,
    receiptId: newReceiptId(),
  }
}

/**
 * Returns the payment as the merchant API and its events show it.
 *
 * @see SUB-34, SUB-35, REF-18
 */
export function paymentObject(payment: Payment): PaymentObject {
  const failed = payment.status === 'failed'
  return {
    id: payment.id,
    object: 'payment',
    subscription: payment.subscriptionId,
    customer: payment.customerId,
    payment_method: payment.storedCardId,
    amount: payment.amount,
    surcharge_amount: payment.surchargeAmount,
    tax_amount: payment.taxAmount,
    currency: payment.currency === 'USD' ? 'usd' : 'cad',
    status: payment.status,
    refunded_amount: payment.refundedAmount,
    attempt: payment.attempt,
    trigger: payment.trigger,
    failure_code: failed ? payment.code : null,
    failure_message: failed ? payment.message : null,
    next_retry_at: payment.nextRetryAt && epochSeconds(payment.nextRetryAt),
    period: payment.period,
    batch: payment.batchId,
    receipt_id: payment.receiptId,
    created: epochSeconds(payment.createdAt),
  }
}
