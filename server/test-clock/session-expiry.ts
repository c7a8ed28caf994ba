import { businessNow } from '../businesses/business.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { type ExpiryServices, expireSessionsOf } from '../checkout/sessions/expire-sessions.ts'
import { findNextSessionExpiry } from './due-queries.ts'
import type { DueWork } from './due-work.ts'

/** Checkout sessions expire 24 hours after their creation. */
export function sessionExpiry(services: ExpiryServices): DueWork {
  const { db, clock } = services
  return {
    nextAt: (businessId, after) => findNextSessionExpiry(db, businessId, after),
    async run(businessId, since) {
      const business = await findBusiness(db, businessId)
      if (!business) return {}
      const until = businessNow(clock, business)
      return { expired_sessions: await expireSessionsOf(services, { businessId, from: since, until }) }
    },
  }
}
