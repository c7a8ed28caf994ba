import type { RenderPaymentPage } from '../../contract/payment-page.ts'
import { batchRoutes } from '../dashboard/batches/batch-routes.ts'
import { calendarRoutes } from '../dashboard/calendar/calendar-routes.ts'
import { catalogRoutes } from '../dashboard/catalog/catalog-routes.ts'
import { contractsRoutes } from '../dashboard/contracts/contracts-routes.ts'
import { credentialsRoutes } from '../dashboard/credentials/credentials-routes.ts'
import { customersRoutes } from '../dashboard/customers/customers-routes.ts'
import { createDashboardRoutes } from '../dashboard/dashboard-routes.ts'
import { entryRoutes } from '../dashboard/entry/entry-routes.ts'
import { homeRoutes } from '../dashboard/home/home-routes.ts'
import { paymentsRoutes } from '../dashboard/payments/payments-routes.ts'
import { searchRoutes } from '../dashboard/search/search-routes.ts'
import { sessionsRoutes } from '../dashboard/sessions/sessions-routes.ts'
import { settingsRoutes } from '../dashboard/settings/settings-routes.ts'
import { subscriptionsRoutes } from '../dashboard/subscriptions/subscriptions-routes.ts'
import { teamRoutes } from '../dashboard/team/team-routes.ts'
import { testToolsRoutes } from '../dashboard/test-tools/test-tools-routes.ts'
import { viewRoutes } from '../dashboard/views/view-routes.ts'
import { webhooksRoutes } from '../dashboard/webhooks/webhooks-routes.ts'
import { notifyInvited } from '../events/person-notices.ts'
import type { Route } from '../http/route.ts'
import type { AdvanceTestClock } from '../test-clock/advance-test-clock.ts'
import type { Services } from './services.ts'

interface DashboardServices extends Services {
  /** Renders the payment page for the preview of its look. */
  renderPage: RenderPaymentPage
  advanceTestClock: AdvanceTestClock
}

/** Returns the private interface of the merchant dashboard, one line for each area of its pages. */
export function dashboardRoutesOf(services: DashboardServices): Route[] {
  const dashboard = createDashboardRoutes(services)
  return [
    ...batchRoutes(dashboard, services),
    ...calendarRoutes(dashboard),
    ...catalogRoutes(dashboard, services),
    ...contractsRoutes(dashboard, services),
    ...customersRoutes(dashboard, services),
    ...credentialsRoutes(dashboard, services),
    ...entryRoutes(services),
    ...paymentsRoutes(dashboard, services),
    ...searchRoutes(dashboard),
    ...viewRoutes(dashboard),
    ...homeRoutes(dashboard, services),
    ...sessionsRoutes(dashboard, services),
    ...settingsRoutes(dashboard, services),
    ...teamRoutes(dashboard, { ...services, sendInvitation: (tx, letter) => notifyInvited(services, tx, letter) }),
    ...subscriptionsRoutes(dashboard, services),
    ...testToolsRoutes(dashboard, { ...services, dashboardUrl: services.links.dashboardUrl }),
    ...webhooksRoutes(dashboard, services),
  ]
}
