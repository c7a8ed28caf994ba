import type { Route } from '../../http/route.ts'
import { accountRoutes } from './account-routes.ts'
import { factorRoutes } from './factor-routes.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { createPersonRoutes } from './person-routes.ts'
import { type EntryContext, signInRoutes } from './sign-in-routes.ts'

/** Returns the routes for entering the dashboard and for one's own account (DSH-9 to DSH-13). */
export function entryRoutes(context: EntryContext): Route[] {
  const routes = createPersonRoutes(context)
  return [
    ...accountRoutes(routes, context),
    ...signInRoutes(routes, context),
    ...factorRoutes(routes, context),
    ...invitationRoutes(routes, context),
  ]
}
