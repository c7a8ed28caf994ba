import type { Role } from '../../../contract/permissions.ts'
import { type Scope, scopesOf } from '../../../contract/scopes.ts'
import { holdRole } from '../../access/people/member-queries.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Environment } from '../../access/shared/context.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'

export interface Maker {
  role: Role
  email: string
  /** Scopes that the person may give to a key or a client. */
  rights: Scope[]
}

/**
 * Returns who makes or changes a credential, with their current role. The role is locked until the transaction ends, so
 * that a demotion also finds the new credential.
 *
 * @throws ApiError `conflict` if the role changed after the call was authorized
 */
export async function makerOf(tx: Tx, { business, session, role }: Member, environment: Environment): Promise<Maker> {
  const held = await holdRole(tx, { businessId: business.id, userId: session.userId })
  if (held !== role) throw new ApiError('conflict', { message: 'Your own role changed meanwhile' })
  return { role, email: session.email, rights: scopesOf(role, environment) }
}
