import type { PayFailure, PaySuccess } from '../../../contract/checkout-form.ts'
import type { StoredCredential } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { checkPolicyOf } from '../../payments/check-policy.ts'
import { verifyCard } from '../../payments/verify-card.ts'
import type { Session } from '../sessions/session.ts'
import { sessionEvent } from '../sessions/session-event.ts'
import { cardNotVerified, refuseUnverified } from './count-unverified.ts'
import type { PayAttempt } from './pay-attempt.ts'
import type { SessionServices } from './pay-services.ts'
import { refuseBlocked, verifiedOnly } from './session-charge.ts'
import { recordVerifiedCard } from './store-card-queries.ts'

/** The customer agrees that the card is stored, and charged when they order. */
const FIRST_USE: StoredCredential = { initiator: 'cardholder', reason: 'unscheduled', initial: true }

/**
 * Verifies the card of a session that only stores a card, and stores it for the customer. Nothing is charged.
 *
 * @throws ApiError `gateway_unavailable`; any error of a closed session
 * @see CHK-60
 */
export async function storeCard(services: SessionServices, payment: PayAttempt): Promise<PaySuccess | PayFailure> {
  const { loaded, card, proof } = payment
  const { session, terminal, business } = loaded
  const { businessId } = session
  const checkPolicy = checkPolicyOf(business, card)
  const verified = { businessId, terminal, card, proof, storedCredential: FIRST_USE, checkPolicy }
  const result = await verifyCard(services, verified)
  if (result.outcome === 'declined') return refuseUnverified(services, payment, result)
  if (result.outcome === 'unavailable') throw cardNotVerified()
  const at = addSeconds(services.clock.now(), business.clockOffsetSeconds)
  const cardId = await recordVerifiedCard(services.db, recordOf(payment, result, at))
  if (cardId === null) return refuseBlocked(services, loaded.token)
  return verifiedOnly(loaded, { recordId: cardId })
}

function recordOf(
  { loaded: { session }, keptCard, customerId, proof }: PayAttempt,
  { networkTransactionId }: { networkTransactionId: string | null },
  at: Date,
) {
  if (keptCard === null || customerId === null)
    throw new Error('a session of mode setup has a customer and a typed card')
  const { businessId, id: sessionId } = session
  const completed: Session = { ...session, status: 'COMPLETED', completedAt: at, payerCustomerId: customerId }
  const dsTransactionId = proof?.dsTransactionId ?? null
  return {
    businessId,
    sessionId,
    customerId,
    stored: { ...keptCard.stored, networkTransactionId, dsTransactionId, createdAt: at },
    sealed: keptCard.sealed,
    completed: sessionEvent('checkout.session.completed', completed, { createdAt: at }),
    at,
  }
}
