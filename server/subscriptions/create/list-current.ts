import type { Static } from 'typebox'
import type { SubscriptionListQuery } from '../../../contract/subscription.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Page } from '../../db/page.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { asOf } from '../lifecycle/change-subscription.ts'
import type { LoadedSubscription, SubscriptionStatus } from '../subscription.ts'
import { listPassed, listSubscriptions } from '../subscription-queries.ts'

const ALIASES: Record<'cancelled' | 'incomplete', SubscriptionStatus> = {
  cancelled: 'canceled',
  incomplete: 'pending_payment_method',
}

/**
 * Lists a page of subscriptions with everything that has fallen due applied, so that the filter agrees with what a
 * retrieval shows. Nothing is written: the scheduler does that.
 *
 * @see SUB-11
 */
export async function listCurrent(
  { db, clock }: Pick<ChargeServices, 'db' | 'clock'>,
  business: Business,
  query: Static<typeof SubscriptionListQuery>,
): Promise<Page<LoadedSubscription>> {
  const businessId = business.id
  const now = businessNow(clock, business)
  const status = query.status && statusOf(query.status)
  const passed = status === undefined ? [] : await listPassed(db, businessId, now)
  const { rows, hasMore } = await listSubscriptions(
    db,
    { businessId, customerId: query.customer, status, passed },
    query,
  )
  const current = rows.map((one) => asOf(one, now))
  // Drops rows that another writer has changed between the statements.
  return { rows: current.filter((one) => status === undefined || one.subscription.status === status), hasMore }
}

function statusOf(given: SubscriptionStatus | keyof typeof ALIASES): SubscriptionStatus {
  return given === 'cancelled' || given === 'incomplete' ? ALIASES[given] : given
}
