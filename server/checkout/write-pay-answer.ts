import { setTimeout as sleep } from 'node:timers/promises'
import type { PayFailure, PaySuccess } from '../../contract/checkout-form.ts'
import { transaction } from '../db/transaction.ts'
import { newEvent } from '../events/event.ts'
import type { ApprovedResult, GatewayResult } from '../gateway/gateway.ts'
import { isDatabaseAway } from '../http/error-response.ts'
import { addSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Cents } from '../lib/money.ts'
import { newUndo } from '../payments/new-operation.ts'
import { nextInquiryAt, type Operation, type OperationState } from '../payments/operation.ts'
import { findOperation, type Outcome, settle } from '../payments/operation-queries.ts'
import { newReceiptId, type Payment, transactionView } from '../payments/payment.ts'
import { findPaymentOfSession } from '../payments/payment-queries.ts'
import { fenceOf, sendUndo } from '../payments/undo-sale.ts'
import { cardToKeep, customerToMake } from './payer.ts'
import { recordApproval, recordDecline } from './payment-queries.ts'
import type { PayServices, PendingSale } from './pending-sale.ts'
import { returnUrl } from './return-url.ts'
import { declineTrigger, nextStatus, PAYMENT_ATTEMPTS_MAX, type Session } from './session.ts'
import { detailsView } from './session-view.ts'

const WRITE_AGAIN_AFTER_MS = 200
const WRITE_TRIES_MIN = 2
const DEADLOCK = '40P01'

/**
 * Step 3 of a payment: the gateway's answer, written down and told.
 *
 * When the database fails here it is tried again while the payer can be kept waiting. Each try is fenced, so it also finds
 * the commit of an earlier one whose acknowledgement was lost (reliability.md R10). After the last the outcome is unknown to
 * the caller, whatever the gateway said: nobody is told «paid» before it is durable, nobody «declined» or «not charged».
 */
export async function writePayAnswer(
  services: PayServices,
  sale: PendingSale,
  result: GatewayResult,
): Promise<PaySuccess | PayFailure> {
  const { clock, log } = services
  const { id, deadlineAt } = sale.operation
  for (let tried = 1; ; tried++) {
    try {
      return await writeAnswer(services, sale, result)
    } catch (error) {
      if (!isDatabaseAway(error) && (error as { code?: string }).code !== DEADLOCK) throw error
      log.error({ err: error, operation: id, tried }, 'the answer of the gateway could not be written down')
      if (tried >= WRITE_TRIES_MIN && clock.now() >= deadlineAt) throw silence()
    }
    await sleep(WRITE_AGAIN_AFTER_MS)
  }
}

function writeAnswer(
  services: PayServices,
  sale: PendingSale,
  result: GatewayResult,
): Promise<PaySuccess | PayFailure> {
  switch (result.outcome) {
    case 'approved':
      return approve(services, sale, result)
    case 'partial':
    case 'declined':
      return decline(services, sale, result)
    case 'refused':
      // The gateway found the request itself wrong. A wrong card is the payer's to correct; anything else is ours.
      if (result.reason === 'invalid_request')
        return decline(services, sale, { outcome: 'declined', code: 'ND', message: result.message })
      services.log.error({ operation: sale.operation.id, reason: result.reason }, 'the gateway refuses our requests')
      return notSent(services, sale)
    case 'not_sent':
      return notSent(services, sale)
    case 'unknown':
      return doubt(services, sale, result.message)
  }
}

async function approve(services: PayServices, sale: PendingSale, result: ApprovedResult): Promise<PaySuccess> {
  const { db, clock } = services
  const { open, operation } = sale
  const completedAt = addSeconds(clock.now(), open.business.clockOffsetSeconds)
  const payment = newPayment(sale, result, completedAt)
  const completed: Session = { ...open.session, status: 'COMPLETED', completedAt }
  const outcome: Outcome = {
    ...fenceOf(operation),
    from: ['SENT', 'IN_DOUBT'],
    to: 'APPROVED',
    code: result.code,
    message: result.message,
    gatewayRef: result.gatewayRef,
    issuerReference: result.issuerReference,
    networkTransactionId: result.networkTransactionId ?? null,
    now: clock.now(),
  }
  const written = await recordApproval(db, {
    outcome,
    session: { ...open.session, customerId: sale.customerId },
    payment,
    event: newEvent({
      businessId: operation.businessId,
      type: 'checkout.session.completed',
      objectId: open.session.id,
      data: {
        object: {
          ...detailsView(completed, 'COMPLETED', payment.surchargeAmount),
          transaction: transactionView(payment),
        },
      },
      createdAt: completedAt,
    }),
    newCustomer: customerToMake(sale, completedAt),
    card: await cardToKeep(services, sale, result, completedAt),
  })
  if (!written) return alreadyDecided(services, sale, 'APPROVED', () => successWritten(services, sale))
  services.faults.reach('after:result_commit')
  services.count('approved')
  return success(sale, payment)
}

function newPayment(
  { open, operation, card, customerId }: PendingSale,
  result: ApprovedResult,
  createdAt: Date,
): Payment {
  return {
    businessId: operation.businessId,
    id: newId(),
    operationId: operation.id,
    sessionId: open.session.id,
    customerId,
    storedCardId: card.stored?.id ?? null,
    amount: operation.amount,
    surchargeAmount: 0 as Cents,
    currency: operation.currency,
    code: result.code,
    message: result.message,
    receiptId: newReceiptId(),
    issuerReference: result.issuerReference,
    cardBrand: card.brand,
    cardFirst6: card.first6,
    cardLast4: card.last4,
    source: card.stored ? 'saved_card' : 'new_card',
    createdAt,
  }
}

async function successWritten(services: PayServices, sale: PendingSale): Promise<PaySuccess> {
  const { businessId, id } = sale.open.session
  const payment = await findPaymentOfSession(services.db, businessId, id)
  if (!payment) throw new Error('An approval without its payment')
  return success(sale, payment)
}

function success({ open }: PendingSale, payment: Payment): PaySuccess {
  return {
    ok: true,
    message: 'Payment approved',
    result: { code: payment.code, recordID: payment.id, receiptID: payment.receiptId },
    success_url: returnUrl(open.session.successUrl, open.token),
  }
}

type Declined = Pick<Extract<GatewayResult, { outcome: 'declined' | 'partial' }>, 'code' | 'message'> &
  ({ outcome: 'declined'; gatewayRef?: string } | { outcome: 'partial'; gatewayRef: string; approvedAmount: Cents })

async function decline(services: PayServices, sale: PendingSale, result: Declined): Promise<PayFailure | PaySuccess> {
  const { db, clock, timings } = services
  const { open, operation } = sale
  const now = clock.now()
  const attemptCount = open.session.attemptCount + 1
  const status = nextStatus('PENDING', declineTrigger(attemptCount))
  const isPartial = result.outcome === 'partial'
  const failed: Session = { ...open.session, status: 'FAILED', attemptCount }
  const to = isPartial ? 'REVERSING' : 'DECLINED'
  const written = await recordDecline(db, {
    outcome: {
      ...fenceOf(operation),
      from: ['SENT', 'IN_DOUBT'],
      to,
      code: result.code,
      message: result.message,
      gatewayRef: result.gatewayRef ?? null,
      countsAsAttempt: true,
      now,
    },
    session: open.session,
    attemptCount,
    now: addSeconds(now, open.business.clockOffsetSeconds),
    failed:
      status === 'FAILED'
        ? newEvent({
            businessId: operation.businessId,
            type: 'checkout.session.failed',
            objectId: open.session.id,
            data: { object: detailsView(failed, 'FAILED', null) },
            createdAt: addSeconds(now, open.business.clockOffsetSeconds),
          })
        : null,
    undo: isPartial ? newUndo(operation, 'void', result.approvedAmount, now, timings) : null,
  })
  const answer = () => failure(sale, result, attemptCount)
  if (!written) return alreadyDecided(services, sale, to, answer)
  services.faults.reach('after:result_commit')
  services.count('declined')
  if (isPartial) await undoPart(services, { ...operation, gatewayRef: result.gatewayRef })
  return answer()
}

/** The void goes out at once. The payer waits for it no longer than for any answer; the resolver goes on with it. */
async function undoPart(services: PayServices, sale: Operation): Promise<void> {
  const { clock, log } = services
  const left = sale.deadlineAt.getTime() - clock.now().getTime()
  const undone = sendUndo(services, sale).catch((error: unknown) =>
    log.warn({ err: error, operation: sale.id }, 'a void is left to the resolver'),
  )
  await Promise.race([undone, sleep(Math.max(0, left), undefined, { ref: false })])
}

function failure({ open }: PendingSale, { code, message }: Declined, attemptCount: number): PayFailure {
  return {
    ok: false,
    message: message || 'The card was declined',
    code,
    attempt_count: attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    cancel_url: returnUrl(open.session.cancelUrl, open.token),
    charged: false,
  }
}

async function notSent(services: PayServices, { operation }: PendingSale): Promise<never> {
  await settle(services.db, {
    ...fenceOf(operation),
    from: ['SENT', 'IN_DOUBT'],
    to: 'NOT_SENT',
    now: services.clock.now(),
  })
  services.count('not_sent')
  throw new ApiError('gateway_unavailable', {
    message: 'The card gateway cannot be reached. Nothing was charged. Try again.',
    extra: { charged: false },
  })
}

/** The doubt and the job that resolves it lie down together. */
async function doubt(services: PayServices, { operation }: PendingSale, message: string): Promise<never> {
  const { db, clock, timings } = services
  const now = clock.now()
  await transaction(db, async (tx) => {
    await settle(tx, { ...fenceOf(operation), from: ['SENT'], to: 'IN_DOUBT', message, now })
    await services.resolveSoon(tx, nextInquiryAt(operation.sentAt, now, timings.scale))
  })
  services.count('in_doubt')
  throw silence()
}

function silence(): ApiError {
  return new ApiError('gateway_timeout', {
    message: 'The payment could not be confirmed yet. Do not pay again; ask for the status of the session.',
    extra: { charged: null },
  })
}

/**
 * Nothing was written. Either an earlier try was committed and its acknowledgement lost; then it is answered as it was meant.
 * Or the resolver took the operation over while this process was held up: its word counts, not this one's memory (R6).
 */
async function alreadyDecided<Answer>(
  { db }: PayServices,
  { operation }: PendingSale,
  meant: OperationState,
  answer: () => Answer,
): Promise<Awaited<Answer>> {
  const decided = await findOperation(db, operation.businessId, operation.id)
  if (decided?.epoch === operation.epoch && decided.state === meant) return await answer()
  throw silence()
}
