import { HomeQuery } from '../../../contract/dashboard/home-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import { createCostlyFigures } from '../costly-figures.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CountedRow } from './figure-queries.ts'
import { type AlertServices, createReadAlerts } from './read-alerts.ts'
import { readHome } from './read-home.ts'

/** How long the figures of past days are cached: a thousand times as long as counting took, ten minutes at most. */
const PAST_KEPT = { ms: 600_000, times: 1_000 }

/** Returns the route of the dashboard's first page. */
export function homeRoutes(dashboard: DashboardRoutes, services: Omit<AlertServices, 'db'>): Route[] {
  const { db } = dashboard
  const { clock } = services
  const readAlerts = createReadAlerts({ ...services, db })
  const keepPast = createCostlyFigures<CountedRow[]>(clock, PAST_KEPT.ms, PAST_KEPT.times)
  return [
    dashboard.read('GET /home', {
      permission: 'home.read',
      query: HomeQuery,
      async handle({ member, query }) {
        const body = await boundedRead(db, (tx) =>
          readHome({ db: tx, clock, keepPast }, member.business, query.currency),
        )
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
