import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { billRoutes } from './bill-routes.ts'
import { subscriptionExport } from './export-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { newSubscriptionRoutes } from './new-subscription-routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { type SubscriptionServices, subscriptionRoutes } from './subscription-routes.ts'

/** Returns the routes of all pages about subscriptions. */
export function subscriptionsRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    ...subscriptionRoutes(dashboard, services),
    ...newSubscriptionRoutes(dashboard, services),
    ...scheduleRoutes(dashboard, services),
    ...billRoutes(dashboard, services),
    ...linkRoutes(dashboard, services),
    subscriptionExport(dashboard),
  ]
}
