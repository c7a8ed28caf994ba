import { resetFactors } from '../../access/factors/reset-factors.ts'
import { findMember, requireOther, requireOwnerFor } from '../../access/members/team-rules.ts'
import { listMembers } from '../../access/people/member-queries.ts'
import type { NotifyPerson } from '../../access/people/person-notice.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'

/**
 * Returns the route that helps a person who lost all factors and belongs to this business only (DSH-36). The reset
 * happens at once, or for owners at their next sign-in after 24 hours.
 */
export function factorResetRoute(dashboard: DashboardRoutes, { notifyPerson }: { notifyPerson: NotifyPerson }): Route {
  const { clock } = dashboard
  return dashboard.write('POST /team/members/{id}/reset-factors', {
    permission: 'team.write',
    action: 'factors.reset',
    stepUp: 'team',
    async handle({ member: { business, session, role, actor }, params: { id = '' } }, tx) {
      const person = findMember(await listMembers(tx, business.id), id)
      requireOther(person, session)
      requireOwnerFor(role, person.role)
      const { dueAt } = await resetFactors({ clock, notifyPerson }, tx, { userId: id, businessId: business.id, actor })
      const dueOn = dueAt && epochSeconds(dueAt)
      const audit = { object: { type: 'user', id }, after: { due_at: dueAt?.toISOString() ?? null } }
      return { body: { object: 'factor_reset' as const, user: id, due_at: dueOn }, audit }
    },
  })
}
