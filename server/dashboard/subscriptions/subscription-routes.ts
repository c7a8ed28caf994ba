import { SubscriptionEdit, SubscriptionsQuery } from '../../../contract/dashboard/subscriptions-api.ts'
import { businessNow } from '../../businesses/business.ts'
import { priceIdsOf } from '../../catalog/price-queries.ts'
import type { CustomerCardLinkUrl } from '../../checkout/sessions/customer-card-link.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { Route } from '../../http/route.ts'
import type { BillServices } from '../../subscriptions/bills/bill-charge.ts'
import { asOf, readCurrentSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import { describeSubscription } from '../../subscriptions/lifecycle/describe-subscription.ts'
import { type LoadedSubscription, noSuchSubscription } from '../../subscriptions/subscription.ts'
import { readDetails } from '../../subscriptions/subscription-details.ts'
import type { SubscriptionLink } from '../../subscriptions/subscription-link.ts'
import { subscriptionObject } from '../../subscriptions/subscription-object.ts'
import { listPassed, lockSubscription } from '../../subscriptions/subscription-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { readList } from '../read-list.ts'
import { requireVersion } from '../version.ts'
import { withReference } from './new-subscription.ts'
import { countFiltered, findInOrder, selectFiltered, todayOf } from './subscription-list-queries.ts'
import { readSubscriptionPage } from './subscription-page.ts'
import { readSummaries } from './subscription-summary.ts'

export interface SubscriptionServices extends BillServices {
  subscriptionLink: SubscriptionLink
  customerCardLink: CustomerCardLinkUrl
  letterLimit: LetterLimit
}

/** Returns the routes that list subscriptions, read one, and edit it. */
export function subscriptionRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [listRoute(dashboard, services), readRoute(dashboard, services), editRoute(dashboard, services)]
}

function listRoute(dashboard: DashboardRoutes, services: SubscriptionServices): Route {
  const { db, clock } = services
  return dashboard.read('GET /subscriptions', {
    permission: 'subscriptions.read',
    query: SubscriptionsQuery,
    async handle({ member: { business }, query }) {
      const businessId = business.id
      const now = businessNow(clock, business)
      const isByStatus = query.tab !== undefined || query.status !== undefined
      const passed = isByStatus ? await listPassed(db, businessId, now) : []
      const { page, counted } = await readList(db, query, {
        async filter(reading) {
          const pricesOfProduct =
            query.product === undefined ? [] : await priceIdsOf(reading, businessId, query.product)
          return { businessId, filters: query, passed, today: todayOf(business, now), pricesOfProduct }
        },
        select: (reading, which) => selectFiltered(reading, which, query),
        count: (reading, which) => countFiltered(reading, which),
        rows: async (ids) => showListed(services, await findInOrder(db, businessId, ids), now),
      })
      return { body: dashboardList(page, counted, (row) => row) }
    },
  })
}

/**
 * @param loaded subscriptions of one business
 * @param now in the time of the business
 */
async function showListed(services: SubscriptionServices, loaded: readonly LoadedSubscription[], now: Date) {
  const [first] = loaded
  if (!first) return []
  const rows = loaded.map((one) => asOf(one, now))
  const [detailsOf, summaryOf] = await Promise.all([
    readDetails({ db: services.db }, rows),
    readSummaries(services.db, first.subscription.businessId, rows),
  ])
  return rows.map((one) => ({ ...subscriptionObject(one, detailsOf(one)), view: summaryOf(one) }))
}

function readRoute(dashboard: DashboardRoutes, services: SubscriptionServices): Route {
  return dashboard.read('GET /subscriptions/{id}', {
    permission: 'subscriptions.read',
    async handle({ member: { business }, params: { id = '' } }) {
      return { body: await readSubscriptionPage(services, await readCurrentSubscription(services, { business, id })) }
    },
  })
}

function editRoute(dashboard: DashboardRoutes, services: SubscriptionServices): Route {
  return dashboard.write('PATCH /subscriptions/{id}', {
    permission: 'subscriptions.write',
    action: 'subscription.edit',
    body: SubscriptionEdit,
    async handle({ member: { business }, params: { id = '' }, body }, tx) {
      const within = { ...services, db: tx }
      const locked = await lockSubscription(tx, business.id, id)
      if (!locked) throw noSuchSubscription()
      requireVersion(body.version, await readSubscriptionPage(within, locked))
      const { metadata: former } = locked.subscription
      const metadata = withReference(body.metadata ?? former, body.reference)
      const changed = await describeSubscription(within, { business, id, metadata })
      return {
        body: await readSubscriptionPage(within, changed),
        audit: { object: { type: 'subscription', id }, before: { metadata: former }, after: { metadata } },
      }
    },
  })
}
