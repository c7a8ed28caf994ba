import type { Environment } from '../../access/shared/context.ts'
import type { EndpointServices } from '../../events/webhooks/create-endpoint.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { webhookExports } from './webhook-export-routes.ts'

/** Returns the routes of the pages about webhook endpoints and events. */
export function webhooksRoutes(
  dashboard: DashboardRoutes,
  services: EndpointServices & { environment: Environment; eventDays: number },
): Route[] {
  return [
    ...endpointRoutes(dashboard, services),
    ...deliveryRoutes(dashboard, services),
    ...eventRoutes(dashboard, services),
    ...webhookExports(dashboard, services),
  ]
}
