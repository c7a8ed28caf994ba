import type { Config } from '../config.ts'
import { catalogRoutes } from '../dashboard/catalog/catalog-routes.ts'
import { createDashboardRoutes } from '../dashboard/dashboard-routes.ts'
import { sessionsRoutes } from '../dashboard/sessions/sessions-routes.ts'
import type { Route } from '../http/route.ts'
import type { Services } from './services.ts'

/** The private interface of the merchant dashboard, one line for each area of its pages. */
export function dashboardRoutesOf(services: Services, { dashboardUrl }: Pick<Config, 'dashboardUrl'>): Route[] {
  const dashboard = createDashboardRoutes({ ...services, dashboardOrigin: new URL(dashboardUrl).origin })
  return [
    // batches
    // calendar
    ...catalogRoutes(dashboard, services),
    // contracts
    // credentials
    // customers
    // entry
    // home
    // payments
    ...sessionsRoutes(dashboard, services),
    // settings
    // subscriptions
    // team
    // test-tools
    // webhooks
  ]
}
