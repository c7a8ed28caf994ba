import { MadeCredentialsQuery, OwnershipTransfer, RoleChange } from '../../../contract/dashboard/team-api.ts'
import {
  type ChangedMember,
  changeRole,
  removeMember,
  type TeamChanger,
  transferOwnership,
} from '../../access/members/change-team.ts'
import { listInvitations } from '../../access/members/invitation-queries.ts'
import { isBeyond } from '../../access/members/made-credential.ts'
import { listMadeCredentials } from '../../access/members/made-credential-queries.ts'
import { findMember } from '../../access/members/team-rules.ts'
import { listMembers } from '../../access/people/member-queries.ts'
import type { NotifyPerson } from '../../access/people/person-notice.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requireVersion } from '../version.ts'
import { auditRoutes } from './audit-routes.ts'
import { factorResetRoute } from './factor-reset-route.ts'
import { type InvitationServices, invitationRoutes } from './invitation-routes.ts'
import { invitationObject, madeCredentialObjects, memberObject } from './team-objects.ts'

const STEP_UP = 'team'

/** Returns the routes for the people of a business, their invitations, and what they did. */
export function teamRoutes(
  dashboard: DashboardRoutes,
  services: InvitationServices & { notifyPerson: NotifyPerson },
): Route[] {
  return [
    ...readRoutes(dashboard),
    ...changeRoutes(dashboard),
    transferRoute(dashboard),
    factorResetRoute(dashboard, services),
    ...invitationRoutes(dashboard, services),
    ...auditRoutes(dashboard),
  ]
}

function readRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.read('GET /team', {
      permission: 'team.read',
      handle: async ({ member }) => ({ body: await teamObject(db, member, clock.now()) }),
    }),
    dashboard.read('GET /team/members/{id}/credentials', {
      permission: 'team.read',
      query: MadeCredentialsQuery,
      async handle({ member, params: { id = '' }, query: { role = null } }) {
        const { business, session } = member
        const { email } = findMember(await listMembers(db, business.id), id)
        // Another person's credentials need the permission to remove that person, because not every role may see keys.
        if (id !== session.userId) await dashboard.requirePermission(member, 'team.write')
        const person = { businessId: business.id, userId: id, email }
        const made = await listMadeCredentials(db, { ...person, now: clock.now() })
        const data = madeCredentialObjects(made, (credential) => isBeyond(credential, role))
        return { body: { object: 'list' as const, data } }
      },
    }),
  ]
}

function changeRoutes(dashboard: DashboardRoutes): Route[] {
  return [
    dashboard.write('PATCH /team/members/{id}', {
      permission: 'team.write',
      action: 'member.change_role',
      stepUp: STEP_UP,
      body: RoleChange,
      async handle({ member, params: { id = '' }, body: { version, role } }, tx) {
        const old = await changeRole(tx, dashboard, changerOf(member), { userId: id, role })
        // Compares the version under the old role; a refusal rolls the change back.
        requireVersion(version, memberObject(old, member.session))
        const changed = memberObject({ ...old, role }, member.session)
        const { made, ended } = auditedCredentials(old)
        const audit = { before: { role: old.role, ...made }, after: { role, ...ended } }
        return { body: changed, audit: { object: userOf(id), ...audit } }
      },
    }),
    dashboard.write('DELETE /team/members/{id}', {
      permission: 'team.write',
      action: 'member.remove',
      stepUp: STEP_UP,
      handle: ({ member, params: { id = '' } }, tx) => remove(dashboard, tx, { member, userId: id }),
    }),
    dashboard.write('POST /team/leave', {
      permission: 'team.read',
      action: 'member.leave',
      stepUp: STEP_UP,
      handle: ({ member }, tx) => remove(dashboard, tx, { member, userId: member.session.userId }),
    }),
  ]
}

async function remove(dashboard: DashboardRoutes, tx: Tx, { member, userId }: { member: Member; userId: string }) {
  const removed = await removeMember(tx, dashboard, changerOf(member), userId)
  const { email, role } = removed
  const { made, ended } = auditedCredentials(removed)
  const credentials = madeCredentialObjects(removed.credentials.made, (one) => removed.credentials.ended.includes(one))
  const audit = { object: userOf(userId), before: { email, role, ...made }, after: ended }
  return { body: { object: 'removed_member' as const, id: userId, email, credentials }, audit }
}

/** Returns, for the audit log, the credentials that the person had made, and which of them ended. */
function auditedCredentials({ credentials: { made, ended } }: ChangedMember) {
  if (made.length === 0) return { made: {}, ended: {} }
  const named = (list: typeof made) => list.map(({ type, id, name }) => ({ type, id, name }))
  return { made: { credentials: named(made) }, ended: { ended: named(ended) } }
}

function transferRoute(dashboard: DashboardRoutes): Route {
  const { clock } = dashboard
  return dashboard.write('POST /team/ownership', {
    permission: 'ownership.transfer',
    action: 'ownership.transfer',
    stepUp: STEP_UP,
    body: OwnershipTransfer,
    async handle({ member, body: { user_id: userId, business_name: typed } }, tx) {
      const { business } = member
      if (typed.trim() !== business.name.trim()) throw invalidField('business_name', 'must be the name of the business')
      const { email, role } = await transferOwnership(tx, changerOf(member), userId)
      const audit = {
        object: userOf(userId),
        before: { email, role },
        after: { role: 'owner', previous_owner: 'admin' },
      }
      return { body: await teamObject(tx, member, clock.now()), audit }
    },
  })
}

async function teamObject(db: Db, { business, session }: Member, now: Date) {
  const team = await listMembers(db, business.id)
  const invitations = await listInvitations(db, business.id)
  return {
    object: 'team' as const,
    data: team.map((one) => memberObject(one, session)),
    invitations: invitations.map((one) => invitationObject(one, now)),
  }
}

const changerOf = ({ business, session, role }: Member): TeamChanger => ({
  businessId: business.id,
  userId: session.userId,
  role,
})

const userOf = (id: string) => ({ type: 'user', id })
