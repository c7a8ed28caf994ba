import { businessNow } from '../../businesses/business.ts'
import { newEvent } from '../../events/event.ts'
import { closeSession } from './close-session-queries.ts'
import { findByToken, type LookupServices, paymentInProgress, refuseClosed } from './load-session.ts'
import { nextStatus, type Session } from './session.ts'
import { detailsView } from './session-view.ts'

/**
 * The merchant takes a payment request back. A payment that is running keeps the session: its outcome comes first.
 *
 * @throws ApiError the closed states, `payment_in_progress`, `not_found`
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
  const event = newEvent({
    businessId,
    type: 'checkout.session.canceled',
    objectId: session.id,
    data: { object: detailsView(session, status, null) },
    createdAt: now,
  })
  if (await closeSession(services.db, { session, reason, event })) return session
  refuseClosed(await findByToken(services, token, businessId))
  throw paymentInProgress()
}
