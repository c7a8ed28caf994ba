import { InvitationCreate } from '../../../contract/dashboard/team-api.ts'
import type { TeamChanger } from '../../access/members/change-team.ts'
import { endInvitation } from '../../access/members/invitation-queries.ts'
import { invite } from '../../access/members/invite.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Business } from '../../businesses/business.ts'
import type { Tx } from '../../db/transaction.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Limit, Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { invitationObject } from './team-objects.ts'

/** Limit for one person (DSH-33). */
const INVITATIONS_A_DAY = 20
const DAY_SECONDS = 86_400

export interface InvitationLetter {
  business: Business
  /** Name of the person who invites. */
  inviter: string
  email: string
  role: TeamChanger['role']
  code: string
  expiresAt: Date
}

export interface InvitationServices {
  keyring: Keyring
  makeRateLimiter: MakeRateLimiter
  /** Sends the link, in the transaction of the invitation (LTR-9). */
  sendInvitation(tx: Tx, letter: InvitationLetter): Promise<void>
}

/** Returns the routes of the invitations to join the business. */
export function invitationRoutes(
  dashboard: DashboardRoutes,
  { keyring, makeRateLimiter, sendInvitation }: InvitationServices,
): Route[] {
  const { clock } = dashboard
  const limiter = makeRateLimiter({ name: 'invitations', points: INVITATIONS_A_DAY, seconds: DAY_SECONDS })
  const perPerson: Limit<Member> = { limiter, key: (_request, { session }) => session.userId }
  return [
    dashboard.write('POST /team/invitations', {
      permission: 'team.write',
      action: 'invitation.create',
      stepUp: 'team',
      limits: [perPerson],
      body: InvitationCreate,
      async handle({ member, body }, tx) {
        const { business, session, role } = member
        const now = clock.now()
        const by = { businessId: business.id, userId: session.userId, role }
        const { invitation, code } = await invite({ tx, keyring, now }, by, body)
        const { email, expiresAt } = invitation
        await sendInvitation(tx, { business, inviter: session.name, email, role: invitation.role, code, expiresAt })
        const shown = invitationObject({ ...invitation, inviter: session.email }, now)
        const after = { email, role: invitation.role }
        return { status: 201, body: shown, audit: { object: { type: 'invitation', id: shown.id }, after } }
      },
    }),
    dashboard.write('DELETE /team/invitations/{id}', {
      permission: 'team.write',
      action: 'invitation.withdraw',
      stepUp: 'team',
      async handle({ member, params: { id = '' } }, tx) {
        const wanted = { businessId: member.business.id, id, at: clock.now() }
        const ended = isUuid(id) ? await endInvitation(tx, wanted) : null
        if (!ended) throw new ApiError('not_found', { message: 'No such invitation' })
        return {
          body: { object: 'invitation' as const, id },
          audit: { object: { type: 'invitation', id }, before: { ...ended } },
        }
      },
    }),
  ]
}
