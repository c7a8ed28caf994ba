import { businessNow } from '../../businesses/business.ts'
import { closeSession } from './close-session-queries.ts'
import { findByToken, type LookupServices, paymentInProgress, refuseClosed } from './load-session.ts'
import { nextStatus, type Session } from './session.ts'

/**
 * Cancels a session for the merchant. A session with a payment in progress is refused until its outcome is known.
 *
 * @throws ApiError an error of a closed state, `payment_in_progress`, `not_found`
 * @see CHK-34
 */
export async function cancelSession(
  services: LookupServices,
  { businessId, token, reason }: { businessId: string; token: string; reason: string | null },
): Promise<Session> {
  const open = await findByToken(services, token, businessId)
  refuseClosed(open)
  const now = businessNow(services.clock, open.business)
  const status = nextStatus('PENDING', 'cancelled') ?? 'CANCELLED'
  const session: Session = { ...open.session, status, canceledAt: now }
  const closing = { session, reason, type: 'checkout.session.canceled', at: now } as const
  if (await closeSession(services.db, closing)) return session
  refuseClosed(await findByToken(services, token, businessId))
  throw paymentInProgress()
}
