import { RefusalsQuery } from '../../../contract/dashboard/credentials-api.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import { refusalText } from '../../http/openapi/refusal-texts.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dayRange } from '../day-range.ts'
import { dashboardList } from '../list-object.ts'
import { addressRoutes } from './address-routes.ts'
import { clientRoutes } from './client-routes.ts'
import { refusalObject } from './credential-objects.ts'
import { keyRoutes } from './key-routes.ts'
import { countRefusals, listRefusals } from './refusal-queries.ts'

/** What a merchant's servers call with, and which of their calls were refused. */
export function credentialsRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  return [
    ...keyRoutes(dashboard, context),
    ...clientRoutes(dashboard, context),
    ...addressRoutes(dashboard, context),
    refusalRoute(dashboard, context),
  ]
}

function refusalRoute(dashboard: DashboardRoutes, { db }: AccessContext): Route {
  return dashboard.read('GET /refusals', {
    permission: 'requests.read',
    query: RefusalsQuery,
    async handle({ member: { business }, query }) {
      const { code, credential: credentialId, ip } = query
      const which = { businessId: business.id, code, credentialId, ip, ...dayRange(query, business.timeZone) }
      const [page, counted] = await Promise.all([listRefusals(db, which, query), countRefusals(db, which)])
      return { body: dashboardList(page, counted, (row) => refusalObject(row, refusalText(row.code))) }
    },
  })
}
