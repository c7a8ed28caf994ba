import { businessNow } from '../../businesses/business.ts'
import { closeSession } from './close-session-queries.ts'
import { findByTokenOrId, type MerchantLookupServices, paymentInProgress, refuseClosed } from './load-session.ts'
import { nextStatus, type Session } from './session.ts'

/**
 * Cancels a session for the merchant. A session with a payment in progress is refused until its outcome is known.
 *
 * @throws ApiError an error of a closed state, `payment_in_progress`, `not_found`
 * @see CHK-34
 */
export async function cancelSession(
  services: MerchantLookupServices,
  { businessId, tokenOrId, reason }: { businessId: string; tokenOrId: string; reason: string | null },
): Promise<{ session: Session; token: string }> {
  const loaded = await findByTokenOrId(services, tokenOrId, businessId)
  refuseClosed(loaded)
  const now = businessNow(services.clock, loaded.business)
  const status = nextStatus('PENDING', 'cancelled') ?? 'CANCELLED'
  const session: Session = { ...loaded.session, status, canceledAt: now }
  const closing = { session, reason, type: 'checkout.session.canceled', at: now } as const
  if (await closeSession(services.db, closing)) return { session, token: loaded.token }
  refuseClosed(await findByTokenOrId(services, tokenOrId, businessId))
  throw paymentInProgress()
}
