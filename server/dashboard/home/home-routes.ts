import { HomeQuery } from '../../../contract/dashboard/home-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { createReadAlerts } from './read-alerts.ts'
import { readHome } from './read-home.ts'

/** The first page of the dashboard. */
export function homeRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  const { db } = dashboard
  const readAlerts = createReadAlerts({ db, clock })
  return [
    dashboard.read('GET /home', {
      permission: 'home.read',
      query: HomeQuery,
      async handle({ member, query }) {
        const body = await boundedRead(db, (tx) => readHome({ db: tx, clock }, member.business, query.currency))
        return { body }
      },
    }),
    dashboard.read('GET /alerts', {
      permission: 'home.read',
      async handle({ member }) {
        return { body: { object: 'list' as const, data: await readAlerts(member.business) } }
      },
    }),
  ]
}
