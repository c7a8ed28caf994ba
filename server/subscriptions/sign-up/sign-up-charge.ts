import type { PayResponse } from '../../../contract/checkout-form.ts'
import type { Price } from '../../catalog/price.ts'
import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import { type SessionCharge, sessionAsBegun, sessionCharge, success } from '../../checkout/pay/session-charge.ts'
import type { ApprovedResult, StoredCredential } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { approvedPayment } from '../../payments/approved-payment.ts'
import type { Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf } from '../../payments/charge/record-result.ts'
import type { NewSale } from '../../payments/new-operation.ts'
import type { Outcome } from '../../payments/outcome-queries.ts'
import type { DetailServices } from '../subscription-details.ts'
import { beginActivation } from './begin-queries.ts'
import type { FirstSale, SignUpInput } from './first-bill.ts'
import { findPlanPrice, newSignUp } from './new-sign-up.ts'
import { recordFirstBill } from './record-activation.ts'
import { recordSignUp } from './sign-up-queries.ts'
import type { Start } from './start.ts'

/** Returns the charge of the first bill of a subscription and the session that begins it. */
export async function signUpCharge(
  services: SessionServices & DetailServices,
  payment: PayAttempt,
  start: Start,
): Promise<SessionCharge> {
  const plan = sessionCharge(services, payment)
  const { operation } = plan
  const { session, now } = payment.loaded
  const isWaiting = session.subscriptionId !== null
  const knownPrice = isWaiting ? undefined : await findPlanPrice(services.db, session, now)
  return {
    ...plan,
    request: { ...plan.request, storedCredential: recurring(payment) },
    ...(isWaiting && { begin: () => beginActivation(services.db, { session, operation, payer: payment.payer, now }) }),
    approve(result, attemptCount) {
      const { first, at, outcome } = approved(services, payment, operation, result)
      const input = { payment, session: sessionAsBegun(payment, attemptCount), start, first, at }
      return isWaiting ? recordedActivation(services, input) : recordedSignUp(services, input, outcome, knownPrice)
    },
  }
}

/** Returns the credential of a customer who agrees to be charged on a schedule. */
export function recurring({ card }: Pick<PayAttempt, 'card'>): StoredCredential {
  const agreed = { initiator: 'cardholder', reason: 'recurring' } as const
  if (!card.stored) return { ...agreed, initial: true }
  const { networkTransactionId } = card.stored
  return { ...agreed, initial: false, ...(networkTransactionId && { networkTransactionId }) }
}

function approved(
  { clock }: SessionServices,
  { loaded, card, customerId, newCustomer, surchargeAmount }: PayAttempt,
  operation: NewSale,
  result: ApprovedResult,
) {
  const now = clock.now()
  const createdAt = addSeconds(now, loaded.business.clockOffsetSeconds)
  const payerId = customerId ?? newCustomer?.id ?? null
  const transaction = approvedPayment(operation, result, { card, customerId: payerId, surchargeAmount, createdAt })
  const outcome = approvalOf(operation, result, now)
  return { first: { operation, result, transaction }, outcome, at: createdAt }
}

function recordedSignUp(
  { db }: SessionServices,
  input: SignUpInput,
  outcome: Outcome,
  knownPrice: Price | undefined,
): Recording<PayResponse> {
  const { parties, paid, made } = newSignUp(input, knownPrice)
  if (paid === null) throw new Error('a charged sign-up has a payment')
  return {
    trigger: outcome.trigger,
    write: () => recordSignUp(db, parties, { outcome, payment: paid }, made),
    response: success(input.payment.loaded, paid),
  }
}

function recordedActivation(
  services: SessionServices & DetailServices,
  input: SignUpInput & { first: FirstSale },
): Recording<PayResponse> {
  return {
    trigger: 'approved',
    write: () => recordFirstBill(services, input),
    response: success(input.payment.loaded, input.first.transaction),
  }
}
