import type { Role } from '../../../contract/permissions.ts'
import { ApiError } from '../../lib/errors.ts'
import type { TeamMember } from '../people/member-queries.ts'

// DSH-14. All of them are checked while the row of the business is locked, so that two changes cannot each leave the
// other person as the last owner.

type Person = Pick<TeamMember, 'userId' | 'role' | 'hasSecondFactor'>

const denied = (message: string) => new ApiError('permission_denied', { message })
const conflict = (message: string) => new ApiError('conflict', { message })

export function findMember<Member extends Person>(team: readonly Member[], userId: string): Member {
  const member = team.find((one) => one.userId === userId)
  if (!member) throw new ApiError('not_found', { message: 'No such person in this business' })
  return member
}

/**
 * The role of who changes the team, as it is now: that of the call was read before the lock.
 *
 * @throws ApiError `conflict` when it changed meanwhile
 */
export function requireSameRole(team: readonly Person[], { userId, role }: { userId: string; role: Role }): void {
  if (team.find((one) => one.userId === userId)?.role === role) return
  throw conflict('Your own role changed meanwhile')
}

/** @throws ApiError `permission_denied`: admins neither make owners nor touch them */
export function requireOwnerFor(by: Role, ...roles: Role[]): void {
  if (by === 'owner' || !roles.includes('owner')) return
  throw denied('Only an owner may make or change an owner')
}

export function requireOther({ userId }: Pick<Person, 'userId'>, by: { userId: string }): void {
  if (userId === by.userId) throw denied('Nobody changes their own role')
}

/**
 * @param after the team as it would be
 * @throws ApiError `conflict` when no owner would be left, or none with a second factor where there is one
 */
export function requireOwnerLeft(before: readonly Person[], after: readonly Person[]): void {
  const owners = (team: readonly Person[]) => team.filter(({ role }) => role === 'owner')
  if (owners(after).length === 0) throw conflict('A business always has an owner: make another person owner first')
  const hasProof = (team: readonly Person[]) => owners(team).some(({ hasSecondFactor }) => hasSecondFactor)
  if (hasProof(before) && !hasProof(after))
    throw conflict('At least one owner needs a second factor: the other owner has to add one first')
}
