import { createHash } from 'node:crypto'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { PlanPrice } from '../../catalog/plan-price.ts'
import { newEvent } from '../../events/event.ts'
import type { ApprovedResult } from '../../gateway/gateway.ts'
import type { ChargePlan, Declined, Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf, declineOf } from '../../payments/charge/record-result.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import { type NewSale, newSale } from '../../payments/new-operation.ts'
import { finalizeWithReversal } from '../../payments/outcome-queries.ts'
import { type NewPayment, newPayment, paymentObject } from '../../payments/payment.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { Card } from '../../vault/card.ts'
import type { Subscription } from '../subscription.ts'
import { type SubscriptionDetails, subscriptionObject } from '../subscription-object.ts'
import { beginFirstCharge, recordDeclinedStart, recordFirstCharge, withPlan } from './first-charge-queries.ts'
import { alone, paidSubscription } from './new-subscription.ts'

/** Subscription to be created, with what its first bill is charged to. */
export interface FirstCharge {
  business: Business
  waiting: Subscription
  terminal: Terminal
  card: Card
  details: SubscriptionDetails
  /** Price to create with the approval; `null` if all prices exist. */
  plan: PlanPrice | null
}

export type FirstChargeResponse =
  | { outcome: 'approved'; subscription: ReturnType<typeof subscriptionObject> }
  | { outcome: 'declined'; code: string; message: string }

/**
 * Returns the first charge of a subscription, which is written only with the approval: a decline leaves nothing but the
 * operation.
 *
 * @see SUB-1, SUB-4, SUB-5
 */
export function firstCharge(services: ChargeServices, charged: FirstCharge): ChargePlan<string, FirstChargeResponse> {
  const { db, clock, timings, vault } = services
  const { waiting, card, terminal } = charged
  const { businessId, id, customerId, storedCardId, amount } = waiting
  if (storedCardId === null) throw new Error('a first charge needs a stored card')
  const operation = newSale(
    {
      businessId,
      owner: { kind: 'subscription_start', id },
      terminal,
      amount,
      card: { ...card, fingerprint: vault.fingerprint(businessId, card.number).value },
      storedCard: { id: storedCardId, customerId },
    },
    clock.now(),
    timings,
  )
  return {
    operation,
    card,
    request: {
      ...(card.nameOnCard && { customer: { name: card.nameOnCard } }),
      storedCredential: firstOfSeries(waiting, card),
    },
    begin: () => beginFirstCharge(db, operation, requestHashOf(waiting)),
    approve: (result) => approval(services, charged, operation, result),
    decline: (result) => decline(services, operation, { storedCardId, result }),
  }
}

/** The ids of the first payment and its authentication link the series to the cardholder's consent. */
export function firstOfSeries({ installments }: Subscription, { stored }: Card) {
  const { networkTransactionId, dsTransactionId } = stored ?? {}
  return {
    initiator: 'merchant' as const,
    reason: installments === null ? ('recurring' as const) : ('installment' as const),
    initial: true,
    ...(networkTransactionId && { networkTransactionId }),
    ...(dsTransactionId && { dsTransactionId }),
  }
}

/** Two creates are identical if customer, items and payment method are the same (SUB-5). */
function requestHashOf({ customerId, items, storedCardId }: Subscription): Buffer {
  const ordered = items.map(({ priceId, quantity }) => `${priceId} ${quantity}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([customerId, storedCardId, ordered]))
    .digest()
}

function approval(
  { db, clock }: ChargeServices,
  { business, waiting, card, details, plan }: FirstCharge,
  operation: NewSale,
  result: ApprovedResult,
): Recording<FirstChargeResponse> {
  const now = businessNow(clock, business)
  const payment = initialPayment(operation, waiting, result, card, now)
  const { subscription, bill, isCompleted } = paidSubscription(waiting, { paymentId: payment.id, now })
  const paid = { ...payment, billId: bill.id, period: { start: bill.periodStart, end: bill.periodEnd } }
  const object = subscriptionObject(alone(subscription), details)
  const events = eventsOf(object, paid, { isCompleted, now })
  const outcome = approvalOf(operation, result, clock.now())
  return {
    trigger: outcome.trigger,
    write: () =>
      withPlan(db, plan, (tx) => recordFirstCharge(tx, outcome, { subscription, bills: [bill], events }, paid)),
    response: { outcome: 'approved', subscription: object },
  }
}

function initialPayment(
  operation: NewSale,
  { id: subscriptionId, customerId, taxAmount, surchargeAmount }: Subscription,
  { code, message, issuerReference }: ApprovedResult,
  card: Card,
  createdAt: Date,
): NewPayment {
  return newPayment(
    operation,
    { code, message, issuerReference, status: 'succeeded' },
    {
      subscriptionId,
      billId: null,
      customerId,
      card,
      trigger: 'initial',
      attempt: 1,
      taxAmount,
      surchargeAmount,
      period: null,
      createdAt,
    },
  )
}

function eventsOf(
  object: ReturnType<typeof subscriptionObject>,
  payment: NewPayment,
  { isCompleted, now: createdAt }: { isCompleted: boolean; now: Date },
) {
  const { businessId } = payment
  const about = { businessId, objectId: object.id, data: { object }, createdAt }
  return [
    newEvent({ ...about, type: 'subscription.created' }),
    newEvent({ ...about, type: 'payment.succeeded', objectId: payment.id, data: { object: paymentObject(payment) } }),
    ...(isCompleted ? [newEvent({ ...about, type: 'subscription.completed' })] : []),
  ]
}

function decline(
  services: ChargeServices,
  operation: NewSale,
  { storedCardId, result }: { storedCardId: string; result: Declined },
): Recording<FirstChargeResponse> {
  const { db, clock } = services
  const { outcome, reversal } = declineOf(operation, result, clock.now(), services)
  const { code, message } = result
  const chargeBlock = chargeBlockOf(result)
  return {
    trigger: outcome.trigger,
    write: () =>
      reversal
        ? finalizeWithReversal(db, outcome, reversal, null)
        : recordDeclinedStart(db, outcome, { storedCardId, chargeBlock }),
    response: { outcome: 'declined', code, message },
  }
}
