import { isScope, SCOPES, type Scope } from '../../../contract/scopes.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'

/**
 * Returns the scopes of a new key or client.
 *
 * @param wanted scopes asked for; absent for all that the maker may give
 * @param rights scopes that the maker may give
 * @throws ApiError `validation_failed`; `permission_denied` naming what the maker's role does not include
 * @see ACC-76
 */
export function givenScopes(wanted: readonly string[] | undefined, rights: readonly Scope[]): Scope[] {
  if (wanted === undefined) return [...rights]
  const unknown = wanted.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalidField('scopes', `must be one of ${SCOPES.join(', ')}`)
  if (wanted.length === 0) throw invalidField('scopes', 'must have at least one scope')
  const scopes = SCOPES.filter((scope) => wanted.includes(scope))
  requireRights(scopes, rights)
  return scopes
}

/**
 * Requires that a person has all scopes of a key or client whose secret they will see, because the secret lets them use
 * these.
 *
 * @throws ApiError `permission_denied` naming what the role does not include
 */
export function requireRights(scopes: readonly Scope[], rights: readonly Scope[]): void {
  const beyond = scopes.filter((scope) => !rights.includes(scope))
  if (beyond.length === 0) return
  throw new ApiError('permission_denied', {
    message: `Your role may not do what ${beyond.length === 1 ? 'this scope allows' : 'these scopes allow'}: ${beyond.join(', ')}`,
    extra: { scopes: beyond },
  })
}
