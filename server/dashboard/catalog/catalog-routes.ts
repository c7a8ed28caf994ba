import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { catalogExports } from './catalog-export-routes.ts'
import { priceRoutes } from './price-routes.ts'
import { productRoutes } from './product-routes.ts'

/** Returns the routes of the product and price pages. */
export function catalogRoutes(dashboard: DashboardRoutes, services: { clock: Clock }): Route[] {
  return [...productRoutes(dashboard, services), ...priceRoutes(dashboard, services), ...catalogExports(dashboard)]
}
