import { randomBytes } from 'node:crypto'
import type { Role } from '../../../contract/permissions.ts'
import { lockBusiness } from '../../businesses/business-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { listMembers } from '../people/member-queries.ts'
import type { TeamChanger } from './change-team.ts'
import { INVITATION_SECONDS, type Invitation, invitationHash } from './invitation.ts'
import { endInvitationsOf, insertInvitation } from './invitation-queries.ts'
import { requireOwnerFor, requireSameRole } from './team-rules.ts'

/**
 * Invites a person to the business. An earlier invitation of the address ends.
 *
 * @returns the code of the link, which only the letter contains
 * @throws ApiError `validation_failed` for a member, `permission_denied`, `conflict`
 * @see DSH-13, DSH-14
 */
export async function invite(
  { tx, keyring, now }: { tx: Tx; keyring: Keyring; now: Date },
  by: TeamChanger,
  wanted: { email: string; role: Role },
): Promise<{ invitation: Invitation; code: string }> {
  const { businessId } = by
  const email = wanted.email.toLowerCase()
  await lockBusiness(tx, businessId)
  const team = await listMembers(tx, businessId)
  requireSameRole(team, by)
  requireOwnerFor(by.role, wanted.role)
  if (team.some((member) => member.email === email)) throw invalidField('email', 'belongs to this business already')
  await endInvitationsOf(tx, { businessId, email, at: now })
  const code = randomBytes(32).toString('base64url')
  const times = { createdAt: now, expiresAt: addSeconds(now, INVITATION_SECONDS) }
  const invitation = { id: newId(), businessId, email, role: wanted.role, invitedBy: by.userId, ...times }
  await insertInvitation(tx, invitation, invitationHash(keyring, code))
  return { invitation, code }
}
