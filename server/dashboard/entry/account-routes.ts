import Type from 'typebox'
import { OwnAuditQuery, PasswordChange, PersonUpdate } from '../../../contract/dashboard/entry-api.ts'
import { auditPerson } from '../../access/people/audit-person.ts'
import { updateAccount } from '../../access/people/update-account.ts'
import { endOwnSession } from '../../access/sessions/end-session.ts'
import { endSessionsOf } from '../../access/sessions/live-session-queries.ts'
import { requireStepUp, type SessionContext } from '../../access/sessions/member-access.ts'
import { changePassword } from '../../access/sign-in/password-reset.ts'
import { transaction } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { accountObject } from './account-object.ts'
import { meObject } from './me-object.ts'
import { listOwnAudit } from './own-audit-queries.ts'
import type { PersonRoutes } from './person-routes.ts'

const Nothing = Type.Object({})

/** Returns the routes where the signed-in person sees and changes their own account. */
export function accountRoutes(routes: PersonRoutes, context: SessionContext): Route[] {
  const { person } = routes
  const { clock } = context
  return [
    person('GET /dashboard/api/me', {
      mayLackFactor: true,
      handle: async ({ caller }) => ({ body: await meObject(context, caller.session) }),
    }),
    person('GET /dashboard/auth/account', {
      mayLackFactor: true,
      handle: async ({ caller }) => ({ body: await accountObject(context, caller.session) }),
    }),
    person('PATCH /dashboard/auth/account', {
      body: PersonUpdate,
      async handle({ caller, body }) {
        await updateAccount(context, caller, body)
        return { body: await accountObject(context, caller.session) }
      },
    }),
    person('POST /dashboard/auth/password', {
      body: PasswordChange,
      async handle({ caller, body }) {
        requireStepUp(caller, clock.now(), 'password')
        const { headers, csrf } = routes.withSession(await changePassword(context, caller, body.password))
        return { headers, body: { object: 'factor_change', csrf_token: csrf, recovery_codes: null } }
      },
    }),
    ...sessionRoutes(routes, context),
    person('GET /dashboard/auth/audit', {
      query: OwnAuditQuery,
      async handle({ caller, query }) {
        const { rows, hasMore } = await listOwnAudit(context.db, caller.session.userId, query)
        const data = rows.map(({ createdAt, ...row }) => ({
          object: 'audit_entry' as const,
          created_at: epochSeconds(createdAt),
          ...row,
        }))
        return { body: { object: 'list', data, has_more: hasMore } }
      },
    }),
  ]
}

function sessionRoutes(routes: PersonRoutes, { db, clock }: SessionContext): Route[] {
  const { person } = routes
  return [
    person('DELETE /dashboard/auth/sessions/{id}', {
      async handle({ caller, params: { id = '' } }) {
        if (!(await endOwnSession({ db, clock }, caller, id)))
          throw new ApiError('not_found', { message: 'No such session' })
        return { ...(id === caller.session.id && routes.withoutSession()), body: { object: 'done' } }
      },
    }),
    person('POST /dashboard/auth/sessions/end-others', {
      body: Nothing,
      async handle({ caller: { session, actor } }) {
        const { userId, id: but } = session
        await transaction(db, async (tx) => {
          await endSessionsOf(tx, userId, { but })
          await auditPerson(tx, { userId, actor, action: 'session.end_others' }, clock.now())
        })
        return { body: { object: 'done' } }
      },
    }),
  ]
}
