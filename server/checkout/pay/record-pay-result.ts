import type { PayFailure, PaySuccess } from '../../../contract/checkout-form.ts'
import { newEvent } from '../../events/event.ts'
import type { ApprovedResult, GatewayResult } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import {
  alreadyDecided,
  approvalOf,
  type Declined,
  declineOf,
  recordResult,
} from '../../payments/charge/record-result.ts'
import { newReversal } from '../../payments/new-operation.ts'
import { newPayment, type Payment, transactionView } from '../../payments/payment.ts'
import { findPaymentOfSession } from '../../payments/payment-queries.ts'
import { reversePartial } from '../../payments/recovery/reverse-sale.ts'
import { returnUrl } from '../sessions/return-url.ts'
import { declineTrigger, nextStatus, PAYMENT_ATTEMPTS_MAX, type Session } from '../sessions/session.ts'
import { detailsView } from '../sessions/session-view.ts'
import type { PayServices, PendingSale } from './pending-sale.ts'
import { publicDecline } from './public-decline.ts'
import { recordApproval, recordDecline } from './session-charge-queries.ts'

/**
 * Step 3 of a payment: the gateway's response, written down and told.
 *
 * @throws ApiError `gateway_timeout`, `gateway_unavailable`
 */
export function recordPayResult(
  services: PayServices,
  sale: PendingSale,
  result: GatewayResult,
): Promise<PaySuccess | PayFailure> {
  return recordResult<PaySuccess | PayFailure>(services, sale.operation, result, {
    approve: (approved) => approve(services, sale, approved),
    decline: (declined) => decline(services, sale, declined),
  })
}

async function approve(services: PayServices, sale: PendingSale, result: ApprovedResult): Promise<PaySuccess> {
  const { db, clock } = services
  const { open, operation } = sale
  const completedAt = addSeconds(clock.now(), open.business.clockOffsetSeconds)
  const { card, customerId, surchargeAmount } = sale
  const payment = newPayment(operation, result, { card, customerId, surchargeAmount, createdAt: completedAt })
  const completed: Session = { ...open.session, status: 'COMPLETED', completedAt }
  const written = await recordApproval(db, {
    outcome: approvalOf(operation, result, clock.now()),
    session: { ...open.session, customerId: sale.customerId },
    payment,
    event: newEvent({
      businessId: operation.businessId,
      type: 'checkout.session.completed',
      objectId: open.session.id,
      data: {
        object: {
          ...detailsView(completed, 'COMPLETED', payment.surchargeAmount),
          last_decline: null,
          transaction: transactionView(payment),
        },
      },
      createdAt: completedAt,
    }),
    newCustomer: sale.newCustomer && { ...sale.newCustomer, createdAt: completedAt },
    card: sale.keptCard && {
      sealed: sale.keptCard.sealed,
      stored: {
        ...sale.keptCard.stored,
        networkTransactionId: result.networkTransactionId ?? null,
        createdAt: completedAt,
      },
    },
  })
  if (!written) return alreadyDecided(services, operation, 'approved', () => successWritten(services, sale))
  services.faults.reach('after:result_commit')
  services.count('approved')
  return success(sale, payment)
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

async function decline(services: PayServices, sale: PendingSale, result: Declined): Promise<PayFailure | PaySuccess> {
  const { db, clock, timings } = services
  const { open, operation } = sale
  const now = clock.now()
  const attemptCount = open.session.attemptCount + 1
  const status = nextStatus('PENDING', declineTrigger(attemptCount))
  const isPartial = result.outcome === 'partial'
  const failed: Session = { ...open.session, status: 'FAILED', attemptCount }
  const outcome = declineOf(operation, result, now)
  const written = await recordDecline(db, {
    outcome: { ...outcome, countsAsAttempt: true },
    session: open.session,
    attemptCount,
    now: addSeconds(now, open.business.clockOffsetSeconds),
    failed:
      status === 'FAILED'
        ? newEvent({
            businessId: operation.businessId,
            type: 'checkout.session.failed',
            objectId: open.session.id,
            data: { object: { ...detailsView(failed, 'FAILED', null), last_decline: lastDecline(result) } },
            createdAt: addSeconds(now, open.business.clockOffsetSeconds),
          })
        : null,
    reversal: isPartial ? newReversal(operation, 'void', result.approvedAmount, now, timings) : null,
  })
  const response = () => failure(sale, result, attemptCount)
  if (!written) return alreadyDecided(services, operation, outcome.trigger, response)
  services.faults.reach('after:result_commit')
  services.count('declined')
  if (isPartial) await reversePartial(services, { ...operation, gatewayRef: result.gatewayRef })
  await services.cardTesting.declined(operation.businessId)
  return response()
}

/** As the merchant's server reads it: the gateway's own code and words. */
const lastDecline = ({ code, message }: Declined) => ({ code, message })

function failure({ open }: PendingSale, { code }: Declined, attemptCount: number): PayFailure {
  return {
    ok: false,
    ...publicDecline(code),
    attempt_count: attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    cancel_url: returnUrl(open.session.cancelUrl, open.token),
    charged: false,
  }
}
