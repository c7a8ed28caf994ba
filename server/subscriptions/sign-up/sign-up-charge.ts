import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import {
  type PayResponse,
  type SessionCharge,
  sessionAsBegun,
  sessionCharge,
  success,
} from '../../checkout/pay/session-charge.ts'
import type { SessionPayment } from '../../checkout/pay/session-payment.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { StoredCredential } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Recording } from '../../payments/charge/charge-plan.ts'
import { approvalOf } from '../../payments/charge/record-result.ts'
import type { FirstSale } from './first-bill.ts'
import { newSignUp } from './new-sign-up.ts'
import { recordSignUp } from './sign-up-queries.ts'
import type { Start } from './start.ts'

/** Charges the first bill of a subscription with the session that begins it. */
export function signUpCharge(services: SessionServices, payment: SessionPayment, start: Start): SessionCharge {
  const plan = sessionCharge(services, payment)
  const { operation } = plan
  return {
    ...plan,
    request: { ...plan.request, storedCredential: recurring(payment) },
    approve: (result, attemptCount) =>
      approval(services, payment, start, { operation, result }, sessionAsBegun(payment, attemptCount)),
  }
}

/** The customer agrees to be charged on a schedule. */
export function recurring({ card }: Pick<SessionPayment, 'card'>): StoredCredential {
  const agreed = { initiator: 'cardholder', reason: 'recurring' } as const
  if (!card.stored) return { ...agreed, initial: true }
  const { networkTransactionId } = card.stored
  return { ...agreed, initial: false, ...(networkTransactionId && { networkTransactionId }) }
}

function approval(
  { db, clock }: SessionServices,
  payment: SessionPayment,
  start: Start,
  first: FirstSale,
  session: Session,
): Recording<PayResponse> {
  const now = clock.now()
  const outcome = approvalOf(first.operation, first.result, now)
  const at = addSeconds(now, payment.loaded.business.clockOffsetSeconds)
  const { parties, paid, made } = newSignUp(payment, session, start, first, at)
  if (paid === null) throw new Error('a charged sign-up has a payment')
  return {
    trigger: outcome.trigger,
    write: () => recordSignUp(db, parties, { outcome, payment: paid }, made),
    response: success(payment.loaded, paid),
  }
}
