import { HomeQuery, MissedBillsDecision } from '../../../contract/dashboard/home-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { releaseCatchUp } from '../../subscriptions/bills/release-catch-up.ts'
import type { LifecycleServices } from '../../subscriptions/lifecycle/change-subscription.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { createReadAlerts } from './read-alerts.ts'
import { readHome } from './read-home.ts'

/** The first page of the dashboard. */
export function homeRoutes(dashboard: DashboardRoutes, services: LifecycleServices & { clock: Clock }): Route[] {
  const { db } = dashboard
  const { clock } = services
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
    dashboard.write('POST /subscriptions/{id}/missed_bills', {
      permission: 'subscriptions.write',
      action: 'subscription.release',
      body: MissedBillsDecision,
      async handle({ member: { business }, params: { id = '' }, body: { missed } }, tx) {
        const { subscription } = await releaseCatchUp({ ...services, db: tx }, { business, id, missed })
        const decided = { missed, next_billing_date: subscription.nextBillingDate }
        return {
          body: { object: 'missed_bills' as const, subscription: id, ...decided },
          audit: { object: { type: 'subscription', id }, after: decided },
        }
      },
    }),
  ]
}
