import type {
  Invitation as InvitationView,
  MadeCredential as MadeCredentialView,
  TeamMember as MemberView,
} from '../../../contract/dashboard/team-api.ts'
import type { Invitation } from '../../access/members/invitation.ts'
import type { MadeCredential } from '../../access/members/made-credential-queries.ts'
import type { TeamMember } from '../../access/people/member-queries.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { versionOf } from '../version.ts'

/** @param viewer person who sees the member */
export function memberObject(member: TeamMember, viewer: { userId: string }): MemberView {
  const { userId, email, name, role, hasSecondFactor, hasOtherBusiness, createdAt, lastSeenAt, invitedBy } = member
  return {
    object: 'team_member',
    id: userId,
    email,
    name,
    role,
    version: versionOf({ role }),
    has_second_factor: hasSecondFactor,
    has_other_business: hasOtherBusiness,
    created: epochSeconds(createdAt),
    last_seen: lastSeenAt && epochSeconds(lastSeenAt),
    invited_by: invitedBy,
    is_you: userId === viewer.userId,
  }
}

/** @param ended credentials of these that end with the change */
export const madeCredentialObjects = (
  made: readonly MadeCredential[],
  isEnded: (credential: MadeCredential) => boolean,
): MadeCredentialView[] =>
  made.map((one) => ({ type: one.type, id: one.id, name: one.name, last_four: one.lastFour, ends: isEnded(one) }))

export function invitationObject(invitation: Invitation & { inviter: string }, now: Date): InvitationView {
  const { id, email, role, inviter, createdAt, expiresAt } = invitation
  return {
    object: 'invitation',
    id,
    email,
    role,
    invited_by: inviter,
    created: epochSeconds(createdAt),
    expires: epochSeconds(expiresAt),
    is_expired: expiresAt <= now,
  }
}
