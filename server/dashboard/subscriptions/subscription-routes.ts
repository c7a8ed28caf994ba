import { SubscriptionEdit, SubscriptionsQuery } from '../../../contract/dashboard/subscriptions-api.ts'
import { businessNow } from '../../businesses/business.ts'
import { priceIdsOf } from '../../catalog/price-queries.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import type { BillServices } from '../../subscriptions/bills/bill-charge.ts'
import { asOf, readCurrentSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import { describeSubscription } from '../../subscriptions/lifecycle/describe-subscription.ts'
import { noSuchSubscription } from '../../subscriptions/subscription.ts'
import { readDetails } from '../../subscriptions/subscription-details.ts'
import { subscriptionObject } from '../../subscriptions/subscription-object.ts'
import { listPassed, lockSubscription } from '../../subscriptions/subscription-queries.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { countedWith, dashboardList } from '../list-object.ts'
import { requireVersion } from '../version.ts'
import { withReference } from './new-subscription.ts'
import { filteredSubscriptions, listFiltered, todayOf } from './subscription-list-queries.ts'
import { type PageServices, readSubscriptionPage } from './subscription-page.ts'
import { readSummaries } from './subscription-summary.ts'

export type SubscriptionServices = BillServices & PageServices

/** Lists, the page of one, and what can be edited of it. */
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
      const [page, counted] = await boundedRead(db, async (tx) => {
        const pricesOfProduct = query.product === undefined ? [] : await priceIdsOf(tx, businessId, query.product)
        const which = { businessId, filters: query, passed, today: todayOf(business, now), pricesOfProduct }
        const found = await listFiltered(tx, which, query)
        const count = () => countUpTo(tx, filteredSubscriptions(tx, which))
        return [found, await countedWith(found, query, count)] as const
      })
      const rows = page.rows.map((one) => asOf(one, now))
      const [detailsOf, summaryOf] = await Promise.all([
        readDetails(services, rows),
        readSummaries(db, businessId, rows),
      ])
      const show = (one: (typeof rows)[number]) => ({
        ...subscriptionObject(one, detailsOf(one)),
        view: summaryOf(one),
      })
      return { body: dashboardList({ ...page, rows }, counted, show) }
    },
  })
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
