import type { PayFailure, PayResponse, PaySuccess } from '../../../contract/checkout-form.ts'
import type { ApprovedResult, StoredCredential } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Cents } from '../../lib/money.ts'
import { type ApprovedPayment, approvedPayment } from '../../payments/approved-payment.ts'
import type { ChargePlan, Declined, Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf, declineOf } from '../../payments/charge/record-result.ts'
import { chargeBlockOf } from '../../payments/charge-block.ts'
import { checkPolicyOf } from '../../payments/check-policy.ts'
import { type NewSale, newSale } from '../../payments/new-operation.ts'
import type { Card } from '../../vault/card.ts'
import { findByToken, type LoadedSession, paymentInProgress, refuseClosed } from '../sessions/load-session.ts'
import { returnUrl } from '../sessions/return-url.ts'
import { declineTrigger, nextStatus, PAYMENT_ATTEMPTS_MAX, type Session } from '../sessions/session.ts'
import { sessionPayer } from '../sessions/session-customer.ts'
import { sessionEvent } from '../sessions/session-event.ts'
import { VERIFIED_MESSAGE } from '../sessions/session-transaction.ts'
import type { CardAttempt } from './card-testing.ts'
import { keepsCard } from './kept-card.ts'
import type { PayAttempt } from './pay-attempt.ts'
import type { SessionServices } from './pay-services.ts'
import { publicDecline } from './public-decline.ts'
import { beginSale, recordApproval, recordDecline } from './session-charge-queries.ts'

export type SessionCharge = ChargePlan<number, PayResponse> & { operation: NewSale }

/**
 * Returns the plan for charging a session, including how each step is recorded. `begin` returns the number of failed
 * attempts.
 */
export function sessionCharge(services: SessionServices, payment: PayAttempt): SessionCharge {
  const { clock, timings, vault } = services
  const { loaded, card, payer, payerIpPrefix, customerId } = payment
  const { session, terminal, now } = loaded
  const operation = newSale(
    {
      id: payment.operationId,
      businessId: session.businessId,
      owner: { kind: 'session', id: session.id },
      terminal,
      amount: (session.amountTotal + payment.surchargeAmount) as Cents,
      card: { ...card, fingerprint: vault.fingerprint(session.businessId, card.number).value },
      storedCard: card.stored && customerId ? { id: card.stored.id, customerId } : null,
      payerIpPrefix,
    },
    clock.now(),
    timings,
  )
  return {
    operation,
    card,
    proof: payment.proof,
    request: requestOf(payment),
    checkPolicy: checkPolicyOf(loaded.business, card),
    begin: () => beginSale(services.db, { session, operation, payer, now }),
    approve: (result, attemptCount) =>
      approval(services, operation, payment, result, sessionAsBegun(payment, attemptCount)),
    decline: (result, attemptCount) =>
      decline(services, operation, payment, result, sessionAsBegun(payment, attemptCount)),
  }
}

function requestOf({ loaded, card, ip }: PayAttempt): ChargePlan<number, PayResponse>['request'] {
  const { email } = sessionPayer(loaded.session)
  const { nameOnCard: name } = card
  return { customer: { ip, ...(email && { email }), ...(name && { name }) }, ...storedCredentialOf(loaded, card) }
}

/** Returns the flag that card networks require when a card is stored and when a stored card is used. */
function storedCredentialOf({ session }: LoadedSession, card: Card): { storedCredential?: StoredCredential } {
  const shared = { initiator: 'cardholder', reason: 'unscheduled' } as const
  if (!card.stored) return keepsCard(session, card) ? { storedCredential: { ...shared, initial: true } } : {}
  const { networkTransactionId } = card.stored
  return { storedCredential: { ...shared, initial: false, ...(networkTransactionId && { networkTransactionId }) } }
}

/**
 * Returns the response for a card that was only verified.
 *
 * @param recordId id of the object that was made; `firstBillDate` is only for a subscription that begins later
 */
export function verifiedOnly(
  { session, token }: LoadedSession,
  { recordId, firstBillDate }: { recordId: string; firstBillDate?: string },
): PaySuccess {
  return {
    ok: true,
    message: VERIFIED_MESSAGE,
    result: {
      code: 'AA',
      recordID: recordId,
      receiptID: null,
      ...(firstBillDate && { first_bill_date: firstBillDate }),
    },
    success_url: returnUrl(session.successUrl, token),
  }
}

/** Throws the error for a session on which another request began a payment, or that has expired. */
export async function refuseBlocked(services: SessionServices, token: string): Promise<never> {
  refuseClosed(await findByToken(services, token))
  throw paymentInProgress()
}

/** Returns the session as `begin` recorded it; fields without input are unchanged. */
export function sessionAsBegun({ loaded: { session }, payer }: PayAttempt, attemptCount: number): Session {
  return {
    ...session,
    consent: payer.consent ?? session.consent,
    billingAddress: payer.billingAddress ?? session.billingAddress,
    shippingAddress: payer.shippingAddress ?? session.shippingAddress,
    attemptCount,
  }
}

function approval(
  { db, clock }: SessionServices,
  operation: NewSale,
  { loaded, card, proof, customerId, surchargeAmount, newCustomer, keptCard }: PayAttempt,
  result: ApprovedResult,
  session: Session,
): Recording<PayResponse> {
  const now = clock.now()
  const completedAt = addSeconds(now, loaded.business.clockOffsetSeconds)
  const payment = approvedPayment(operation, result, { card, customerId, surchargeAmount, createdAt: completedAt })
  const completed: Session = { ...session, status: 'COMPLETED', completedAt }
  const outcome = approvalOf(operation, result, now)
  const networkTransactionId = result.networkTransactionId ?? null
  const dsTransactionId = proof?.dsTransactionId ?? null
  return {
    trigger: outcome.trigger,
    write: () =>
      recordApproval(db, {
        outcome,
        session: { ...session, customerId },
        payment,
        event: sessionEvent('checkout.session.completed', completed, { payment, createdAt: completedAt }),
        newCustomer: newCustomer && { ...newCustomer, createdAt: completedAt },
        card: keptCard && {
          sealed: keptCard.sealed,
          stored: { ...keptCard.stored, networkTransactionId, dsTransactionId, createdAt: completedAt },
        },
      }),
    response: success(loaded, payment),
  }
}

export function success(
  { session, token }: LoadedSession,
  payment: Pick<ApprovedPayment, 'code' | 'id' | 'receiptId'>,
): PaySuccess {
  return {
    ok: true,
    message: 'Payment approved',
    result: { code: payment.code, recordID: payment.id, receiptID: payment.receiptId },
    success_url: returnUrl(session.successUrl, token),
  }
}

function decline(
  services: SessionServices,
  operation: NewSale,
  { loaded }: PayAttempt,
  result: Declined,
  session: Session,
): Recording<PayResponse> {
  const { db, clock, cardTesting } = services
  const { businessId } = session
  const now = clock.now()
  const businessTime = addSeconds(now, loaded.business.clockOffsetSeconds)
  const attemptCount = session.attemptCount + 1
  const isLast = nextStatus('PENDING', declineTrigger(attemptCount)) === 'FAILED'
  const { outcome, reversal } = declineOf(operation, result, now, services)
  const lastDecline = { code: result.code, message: result.message }
  const failed = isLast ? failedEvent({ ...session, attemptCount, lastDecline }, businessTime) : null
  return {
    trigger: outcome.trigger,
    write: () =>
      recordDecline(db, {
        outcome: { ...outcome, countsAsAttempt: true },
        session,
        attemptCount,
        lastDecline,
        now: businessTime,
        failed,
        reversal,
        storedCardId: operation.storedCard?.id ?? null,
        chargeBlock: chargeBlockOf(result),
      }),
    response: failure(loaded, result, attemptCount),
    recorded: async () => {
      // There is no declined operation to count, and the payer has no part in the reversal.
      if (result.outcome === 'against policy') await cardTesting.refusedByPolicy(attemptOf(operation, loaded))
      await cardTesting.declined(businessId)
    },
  }
}

function attemptOf({ payerIpPrefix = '', card, storedCard }: NewSale, { business }: LoadedSession): CardAttempt {
  const fingerprint = card?.fingerprint ?? Buffer.alloc(0)
  return { business, payerIpPrefix, fingerprint, storedCardId: storedCard?.id ?? null }
}

/** @param session the session, including its last attempt */
export const failedEvent = (session: Session, createdAt: Date) =>
  sessionEvent('checkout.session.failed', { ...session, status: 'FAILED' }, { createdAt })

export function failure(
  { session, token }: Pick<LoadedSession, 'session' | 'token'>,
  { code }: { code: string },
  attemptCount: number,
): PayFailure {
  return {
    ok: false,
    ...publicDecline(code),
    attempt_count: attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    cancel_url: returnUrl(session.cancelUrl, token),
    charged: false,
  }
}
