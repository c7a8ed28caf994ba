import type { Role } from '../../../contract/permissions.ts'
import { lockBusiness } from '../../businesses/business-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { deleteMember, listMembers, setRole, type TeamMember } from '../people/member-queries.ts'
import { lockPerson } from '../people/person-queries.ts'
import { endSessionsOf } from '../sessions/live-session-queries.ts'
import { type CredentialsOfChange, endBeyond } from './made-credential.ts'
import { findMember, requireOther, requireOwnerFor, requireOwnerLeft, requireSameRole } from './team-rules.ts'

/**
 * A person as they were before the change, with the credentials that they had made, and which of them the change ended.
 */
export type ChangedMember = TeamMember & { credentials: CredentialsOfChange }

type Context = { clock: Clock }

/** Who changes the team, with the role by which the call was authorized. */
export interface TeamChanger {
  businessId: string
  userId: string
  role: Role
}

async function lockTeam(tx: Tx, by: TeamChanger): Promise<TeamMember[]> {
  await lockBusiness(tx, by.businessId)
  const team = await listMembers(tx, by.businessId)
  requireSameRole(team, by)
  return team
}

const withRole = (team: readonly TeamMember[], userId: string, role: Role) =>
  team.map((one) => (one.userId === userId ? { ...one, role } : one))

/**
 * Changes a person's role, and ends the credentials that they made and that are beyond the new role.
 *
 * @returns the person as they were
 * @throws ApiError `not_found`, `permission_denied`, `conflict`
 * @see DSH-14, ACC-80
 */
export async function changeRole(
  tx: Tx,
  context: Context,
  by: TeamChanger,
  { userId, role }: { userId: string; role: Role },
): Promise<ChangedMember> {
  const team = await lockTeam(tx, by)
  const member = findMember(team, userId)
  requireOther(member, by)
  requireOwnerFor(by.role, member.role, role)
  requireOwnerLeft(team, withRole(team, userId, role))
  await setRole(tx, { businessId: by.businessId, userId }, role)
  return withCredentials(tx, context, by, { member, role })
}

/**
 * Removes a person, and ends all keys, clients and tokens that they made here. Their sessions end only if they belong
 * to no other business, where they would stay signed in.
 *
 * @returns the person as they were
 * @throws ApiError `not_found`, `permission_denied`, `conflict`
 * @see DSH-14, DSH-93, ACC-80
 */
export async function removeMember(tx: Tx, context: Context, by: TeamChanger, userId: string): Promise<ChangedMember> {
  const team = await lockTeam(tx, by)
  const member = findMember(team, userId)
  requireOwnerFor(by.role, member.role)
  const remaining = team.filter((one) => one.userId !== userId)
  requireOwnerLeft(team, remaining)
  await lockPerson(tx, userId)
  await deleteMember(tx, { businessId: by.businessId, userId })
  if (!member.hasOtherBusiness) await endSessionsOf(tx, userId)
  return withCredentials(tx, context, by, { member, role: null })
}

async function withCredentials(
  tx: Tx,
  context: Context,
  { businessId }: TeamChanger,
  { member, role }: { member: TeamMember; role: Role | null },
): Promise<ChangedMember> {
  const { userId, email } = member
  return { ...member, credentials: await endBeyond(tx, context, { businessId, userId, email, role }) }
}

/**
 * Makes another person owner, and the previous owner an admin, in one step.
 *
 * @returns the person as they were
 */
export async function transferOwnership(tx: Tx, by: TeamChanger, userId: string): Promise<TeamMember> {
  const team = await lockTeam(tx, by)
  const member = findMember(team, userId)
  requireOther(member, by)
  requireOwnerLeft(team, withRole(withRole(team, userId, 'owner'), by.userId, 'admin'))
  await setRole(tx, { businessId: by.businessId, userId }, 'owner')
  await setRole(tx, { businessId: by.businessId, userId: by.userId }, 'admin')
  return member
}
