import type { EventType } from '../../../contract/event.ts'
import type { Business } from '../../businesses/business.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import type { DeclinedResult } from '../../gateway/gateway.ts'
import { isResultCode } from '../../gateway/result-codes.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import type { Operation } from '../../payments/operation.ts'
import { type NewPayment, newPayment, paymentObject } from '../../payments/payment.ts'
import type { Bill } from '../bill.ts'
import type { SubscriptionChange } from '../change-queries.ts'
import { approvedBill, type DeclinedBill, declinedBill, endUnpaid } from '../lifecycle/bill-outcome.ts'
import { transitionEvent } from '../lifecycle/change-subscription.ts'
import { changedTo, type Ending } from '../lifecycle/end-billing.ts'
import type { LoadedSubscription } from '../subscription.ts'
import type { DetailServices } from '../subscription-details.ts'
import type { BillRecord } from './bill-charge-queries.ts'

// What the outcome of an attempt changes, with its payment and events. It is the same whether the charge itself got the
// result or recovery found it.

export type OpenBill = LoadedSubscription & { bill: Bill }

export interface Attempt {
  business: Pick<Business, 'afterLastRetry' | 'billingRunLocalTime'>
  sale: Operation
  card: Pick<BilledCard, 'brand' | 'first6' | 'last4' | 'customerId'>
  trigger: NewPayment['trigger']
  /** Time at which the outcome is recorded, in the business's time. */
  now: Date
}

/** Details of an approval. */
export type Approval = Pick<NewPayment, 'code' | 'message'> & { issuerReference: string }

export async function approvedRecord(
  services: DetailServices,
  attempt: Attempt,
  loaded: OpenBill,
  { code, message, issuerReference }: Approval,
): Promise<BillRecord> {
  const { now } = attempt
  const payment = paymentOf(attempt, loaded, { status: 'succeeded', code, message, issuerReference })
  const { isCompleted, ...ending } = approvedBill(loaded, { paymentId: payment.id, now })
  const events = [
    paymentEvent('payment.succeeded', payment),
    ...(isCompleted ? await endingEvents(services, 'subscription.completed', loaded, ending, now) : []),
  ]
  return { change: { before: loaded, ...ending, events }, payment }
}

export interface Decline {
  code: string
  message: string
  advice?: DeclinedResult['advice']
}

/** @returns the record, with the code that blocks the card if the decline does so (BIL-20) */
export async function declinedRecord(
  services: DetailServices,
  attempt: Attempt,
  loaded: OpenBill,
  { code: given, message, advice = 'none' }: Decline,
): Promise<BillRecord & { chargeBlock: string | null }> {
  const code = isResultCode(given) ? given : 'ND'
  const chargeBlock = chargeBlockOf({ code, advice })
  const payment = paymentOf(attempt, loaded, { status: 'failed', code, message, issuerReference: null })
  const declined = declinedBill(
    loaded,
    { neverAgain: chargeBlock !== null, paymentId: payment.id, now: attempt.now },
    attempt.business,
  )
  const record = await failedRecord(services, attempt, loaded, declined, payment)
  return { ...record, chargeBlock }
}

/** Records a bill whose card was detached like a declined one; nothing is sent (BIL-22). */
export function detachedRecord(services: DetailServices, attempt: Attempt, loaded: OpenBill): Promise<BillRecord> {
  const { now, business } = attempt
  const message = 'The card was detached'
  const payment = paymentOf(attempt, loaded, { status: 'failed', code: 'ND', message, issuerReference: null })
  const { bill, subscription } = loaded
  const failed = { ...subscription, lastFailedAttemptAt: now, latestPaymentId: payment.id }
  const tried = { ...bill, failedAttempts: bill.failedAttempts + 1 }
  const ended = endUnpaid({ ...loaded, subscription: failed }, tried, 'card_detached', { now, ...business })
  return failedRecord(services, attempt, loaded, ended, payment)
}

/**
 * Returns the change of a bill that ends without an attempt, because its card may not be charged without the payer
 * (BIL-20). There is no payment, so the event is one of the subscription, whose period has begun unpaid.
 */
export async function blockedChange(
  services: DetailServices,
  business: Pick<Business, 'afterLastRetry'>,
  { before, charged }: { before: LoadedSubscription; charged: OpenBill },
  now: Date,
): Promise<SubscriptionChange> {
  const { after, bills, pauses, event } = endUnpaid(charged, charged.bill, 'do_not_retry', { now, ...business })
  const ending = { after, bills, pauses }
  const events = await endingEvents(services, event ?? 'subscription.updated', before, ending, now)
  return { before, ...ending, events }
}

async function failedRecord(
  services: DetailServices,
  { now }: Attempt,
  loaded: OpenBill,
  { after, bills, pauses, nextRetryAt, isExhausted, event }: DeclinedBill,
  planned: NewPayment,
): Promise<BillRecord> {
  const payment = { ...planned, nextRetryAt }
  const ending = { after, bills, pauses }
  const events = [
    paymentEvent('payment.failed', payment),
    ...(isExhausted ? [paymentEvent('payment.retries_exhausted', payment)] : []),
    ...(event ? await endingEvents(services, event, loaded, ending, now) : []),
  ]
  return { change: { before: loaded, ...ending, events }, payment }
}

function paymentOf(
  { sale, card, trigger, now }: Attempt,
  { subscription, bill }: OpenBill,
  result: Pick<NewPayment, 'code' | 'message' | 'issuerReference'> & { status: 'succeeded' | 'failed' },
): NewPayment {
  return newPayment(sale, result, {
    subscriptionId: subscription.id,
    billId: bill.id,
    customerId: subscription.customerId,
    card,
    trigger,
    attempt: bill.failedAttempts + 1,
    taxAmount: subscription.taxAmount,
    surchargeAmount: subscription.surchargeAmount,
    period: { start: bill.periodStart, end: bill.periodEnd },
    createdAt: now,
  })
}

function paymentEvent(type: EventType, payment: NewPayment): NewEvent {
  const { businessId, id, createdAt } = payment
  return newEvent({ businessId, type, objectId: id, data: { object: paymentObject(payment) }, createdAt })
}

async function endingEvents(
  services: DetailServices,
  type: EventType,
  before: LoadedSubscription,
  ending: Ending,
  createdAt: Date,
): Promise<NewEvent[]> {
  const event = await transitionEvent(services, { before, changed: changedTo(before, ending), type, createdAt })
  return event ? [event] : []
}
