import type { Role } from '../../../contract/permissions.ts'
import { ApiError } from '../../lib/errors.ts'
import type { TeamMember } from '../people/member-queries.ts'

// Rules of DSH-14. All are checked while the row of the business is locked, so that two changes cannot each leave the
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
 * Requires that the person who changes the team still has the role of the call, which was read before the lock.
 *
 * @throws ApiError `conflict` if it changed meanwhile
 */
export function requireSameRole(team: readonly Person[], { userId, role }: { userId: string; role: Role }): void {
  if (team.find((one) => one.userId === userId)?.role === role) return
  throw conflict('Your own role changed meanwhile')
}

/** @throws ApiError `permission_denied` for admins, who can neither create nor change owners */
export function requireOwnerFor(by: Role, ...roles: Role[]): void {
  if (by === 'owner' || !roles.includes('owner')) return
  throw denied('Only an owner may make or change an owner')
}

export function requireOther({ userId }: Pick<Person, 'userId'>, by: { userId: string }): void {
  if (userId === by.userId) throw denied('Nobody changes their own role')
}

/**
 * @param after the team after the change
 * @throws ApiError `conflict` if no owner would be left, or none with a second factor although one has it now
 */
export function requireOwnerLeft(before: readonly Person[], after: readonly Person[]): void {
  const owners = (team: readonly Person[]) => team.filter(({ role }) => role === 'owner')
  if (owners(after).length === 0) throw conflict('A business always has an owner: make another person owner first')
  const hasProof = (team: readonly Person[]) => owners(team).some(({ hasSecondFactor }) => hasSecondFactor)
  if (hasProof(before) && !hasProof(after))
    throw conflict('At least one owner needs a second factor: the other owner has to add one first')
}
