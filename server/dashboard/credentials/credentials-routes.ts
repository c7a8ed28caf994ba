import type { AccessContext } from '../../access/shared/context.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { addressRoutes } from './address-routes.ts'
import { clientRoutes } from './client-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { refusalRoutes } from './refusal-routes.ts'

/** Returns the routes of the credentials that a merchant's servers use, and of their refused calls. */
export function credentialsRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  return [
    ...keyRoutes(dashboard, context),
    ...clientRoutes(dashboard, context),
    ...addressRoutes(dashboard, context),
    ...refusalRoutes(dashboard, context),
  ]
}
