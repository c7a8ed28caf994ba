import type { SessionFilters } from '../../../contract/dashboard/sessions-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { filterOf } from '../../checkout/sessions/list-sessions.ts'
import { type SessionFilter, withPaidBy } from '../../checkout/sessions/session-list-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { requireOrder } from '../day-range.ts'
import { findReferencedSessions } from '../session-reference-queries.ts'

/**
 * Returns the filter for a list, an export and a count of sessions.
 *
 * @throws ApiError `validation_failed` when the days are in the wrong order
 */
export async function sessionFilter(
  db: Db,
  { business, clock }: { business: Business; clock: Clock },
  query: SessionFilters,
): Promise<SessionFilter> {
  const { from, to, customer, status, reference } = query
  requireOrder({ from, to })
  const shared = {
    ...(from && { fromDate: from }),
    ...(to && { toDate: to }),
    ...(customer && { customer }),
    ...(status && { status }),
  }
  const { ui_mode: uiMode, mode, customer_id: customerId, amount_from: amountFrom, amount_to: amountTo } = query
  return withPaidBy(db, {
    ...(await filterOf(business, shared, businessNow(clock, business))),
    ...{ uiMode, mode, customerId, amountFrom, amountTo, reference },
    // Sessions are indexed by real time.
    referenced: await referencedBy(db, { businessId: business.id, reference, now: clock.now() }),
  })
}

const referencedBy = async (
  db: Db,
  { reference, ...which }: { businessId: string; reference: string | undefined; now: Date },
) => (reference === undefined ? undefined : findReferencedSessions(db, { ...which, reference }))
