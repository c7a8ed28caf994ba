import { SearchQuery } from '../../../contract/dashboard/search-api.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { search } from './search.ts'

/** Returns the route of the search over everything, from any page. */
export function searchRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.read('GET /search', {
      permission: 'payments.read',
      query: SearchQuery,
      async handle({ member, query }) {
        const q = (query.q ?? '').trim()
        return { body: await search(db, { businessId: member.business.id, q, now: clock.now() }) }
      },
    }),
  ]
}
