import type { PayFailure } from '../../../contract/checkout-form.ts'
import { ApiError } from '../../lib/errors.ts'
import { findPayable } from '../sessions/load-session.ts'
import { declineTrigger, nextStatus } from '../sessions/session.ts'
import type { PayAttempt } from './pay-attempt.ts'
import type { SessionServices } from './pay-services.ts'
import { countUnverified } from './refused-card-queries.ts'
import { failedEvent, failure } from './session-charge.ts'

/**
 * Counts a card whose verification was declined as an attempt like any other, also for the limits on card testing.
 *
 * @throws ApiError an error of a closed state, if another request has closed the session meanwhile
 */
export async function refuseUnverified(
  services: SessionServices,
  { loaded: { token, business }, card, payerIpPrefix }: PayAttempt,
  { code, message }: { code: string; message: string },
): Promise<PayFailure> {
  const lastDecline = { code, message }
  const fingerprint = services.vault.fingerprint(business.id, card.number).value
  await services.cardTesting.unverified({ business, payerIpPrefix, fingerprint, storedCardId: card.stored?.id ?? null })
  for (;;) {
    const loaded = await findPayable(services, token)
    const { session, now } = loaded
    const attemptCount = session.attemptCount + 1
    const isLast = nextStatus('PENDING', declineTrigger(attemptCount)) === 'FAILED'
    const failed = isLast ? failedEvent({ ...session, attemptCount, lastDecline }, now) : null
    if (await countUnverified(services.db, session, { attemptCount, lastDecline, failed, now }))
      return failure(loaded, { code }, attemptCount)
  }
}

/** Returns the error for a verification without a usable response from the gateway. */
export const cardNotVerified = () =>
  new ApiError('gateway_unavailable', {
    message:
      'The card could not be verified, because the card gateway did not respond. Nothing was charged. Try again.',
    extra: { charged: false },
  })
