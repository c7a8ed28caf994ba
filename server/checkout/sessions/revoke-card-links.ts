import { type Business, businessNow } from '../../businesses/business.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import { noSuchCustomer } from '../../customers/customer.ts'
import { customerExists } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { closeSession } from './close-session-queries.ts'
import { endCardLinks } from './customer-card-link-queries.ts'
import { nextStatus, statusAt } from './session.ts'
import { findSession } from './session-queries.ts'

const REASON = 'The link of the customer was revoked.'

/**
 * Revokes every valid card link of a customer, and cancels the sessions opened from them. A card that is being verified
 * at that moment is not stored, unless it was stored before its session is canceled.
 *
 * @returns the number of revoked links
 * @throws ApiError `not_found`; `conflict` if no link is valid
 * @see CHK-60
 */
export function revokeCardLinks(
  { db, clock, merchants }: { db: Db; clock: Clock; merchants: Merchants },
  { business, customerId }: { business: Business; customerId: string },
): Promise<number> {
  const [businessId, now] = [business.id, businessNow(clock, business)]
  return transaction(db, async (tx) => {
    if (!(await customerExists(tx, businessId, customerId))) throw noSuchCustomer()
    const sessionIds = await endCardLinks(tx, { businessId, customerId }, now)
    if (sessionIds.length === 0) throw new ApiError('conflict', { message: 'No card link of the customer is valid.' })
    for (const id of sessionIds) if (id !== null) await cancel({ db: tx, merchants }, { businessId, id, now })
    return sessionIds.length
  })
}

async function cancel(
  services: { db: Db; merchants: Merchants },
  { businessId, id, now }: { businessId: string; id: string; now: Date },
): Promise<void> {
  const found = await findSession(services, businessId, id)
  if (!found || statusAt(found.session, now, found.paymentInProgress) !== 'PENDING') return
  const status = nextStatus('PENDING', 'cancelled') ?? 'CANCELLED'
  const session = { ...found.session, status, canceledAt: now }
  await closeSession(services.db, { session, reason: REASON, type: 'checkout.session.canceled', at: now })
}
