import type { PayResponse } from '../../../contract/checkout-form.ts'
import { cardNotVerified, refuseUnverified } from '../../checkout/pay/count-unverified.ts'
import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import { refuseBlocked, sessionAsBegun, verifiedOnly } from '../../checkout/pay/session-charge.ts'
import type { SessionVerification } from '../../checkout/sessions/session.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { sourceOf } from '../../payments/approved-payment.ts'
import { checkPolicyOf } from '../../payments/check-policy.ts'
import { verifyCard } from '../../payments/verify-card.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findPlanPrice, newSignUp } from './new-sign-up.ts'
import { recordVerifiedActivation } from './record-activation.ts'
import { recordReplacement } from './record-replacement.ts'
import { signedUpFor } from './session-subscription.ts'
import { recurring } from './sign-up-charge.ts'
import { recordSignUp } from './sign-up-queries.ts'
import type { Start } from './start.ts'

/**
 * Verifies the card of a subscription that begins later, and stores everything with it. Nothing is charged before the
 * first day.
 *
 * @throws ApiError `gateway_unavailable`, and any error of a closed session
 * @see CHK-19, CHK-54
 */
export async function verifySignUp(
  services: SessionServices & DetailServices,
  payment: PayAttempt,
  start: Start,
): Promise<PayResponse> {
  const { loaded, card, proof } = payment
  const { businessId } = loaded.session
  const storedCredential = recurring(payment)
  const checkPolicy = checkPolicyOf(loaded.business, card)
  const { terminal } = loaded
  const result = await verifyCard(services, { businessId, terminal, card, proof, storedCredential, checkPolicy })
  if (result.outcome === 'declined') return refuseUnverified(services, payment, result)
  if (result.outcome === 'unavailable') throw cardNotVerified()
  const at = addSeconds(services.clock.now(), loaded.business.clockOffsetSeconds)
  const session = sessionAsBegun(payment, loaded.session.attemptCount)
  const { networkTransactionId } = result
  const verification = verificationOf(card, start)
  const input = { payment, session: { ...session, verification }, start, first: null, networkTransactionId, at }
  const { subscriptionId } = loaded.session
  if (subscriptionId !== null && signedUpFor(loaded.session).replaces_card) {
    if (await recordReplacement(services, { ...input, session }))
      return verifiedOnly(loaded, { recordId: subscriptionId })
    return refuseBlocked(services, loaded.token)
  }
  if (subscriptionId !== null) {
    if (await recordVerifiedActivation(services, input)) return verified(payment, verification)
    return refuseBlocked(services, loaded.token)
  }
  const { parties, made } = newSignUp(input, await findPlanPrice(services.db, session, at))
  if (await recordSignUp(services.db, parties, null, made)) return verified(payment, verification)
  return refuseBlocked(services, loaded.token)
}

const verificationOf = (card: PayAttempt['card'], { anchor }: Start): SessionVerification => ({
  id: newId(),
  brand: card.brand,
  first6: card.first6,
  last4: card.last4,
  source: sourceOf(card),
  first_bill_date: anchor,
})

/** Response without a payment, and so without a receipt. */
const verified = ({ loaded }: PayAttempt, { id, first_bill_date }: SessionVerification) =>
  verifiedOnly(loaded, { recordId: id, firstBillDate: first_bill_date })
