import type { Role } from '../../../contract/permissions.ts'
import { type Scope, scopesOf, scopesWithin } from '../../../contract/scopes.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Environment } from '../shared/context.ts'

/** Roles that can give tokens to a server (ACC-77). */
export const TOKEN_ROLES: readonly Role[] = ['owner', 'admin', 'developer']

/**
 * Returns what a token may do: no more than its client, and no more than the person with their current role.
 *
 * @param asked scopes that the sign-in or the refresh asked for; `null` for all
 * @see ACC-76, ACC-77
 */
export function scopesOfToken({
  client_scopes: ofClient,
  role,
  environment,
  asked = null,
  family_scopes: ofFamily = null,
}: {
  client_scopes: readonly string[]
  role: string
  environment: Environment
  asked?: readonly string[] | null
  family_scopes?: readonly string[] | null
}): Scope[] {
  if (!TOKEN_ROLES.includes(role as Role)) return []
  return scopesWithin(ofClient, scopesOf(role as Role, environment), ofFamily, asked)
}

/** @throws ApiError `invalid_scope` if a token request asks for more than it may get */
export function requireGrantable(asked: readonly Scope[] | null, may: readonly Scope[]): void {
  const beyond = asked?.filter((scope) => !may.includes(scope)) ?? []
  if (beyond.length > 0) throw invalidScope(`${beyond.join(', ')}: the client or the person may not do this`)
}

export const invalidScope = (text: string) =>
  new ApiError('invalid_scope', { message: `scope: ${text}`, errors: { scope: [text] } })
