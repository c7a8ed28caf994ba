import { isScope, SCOPES, type Scope } from '../../../contract/scopes.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'

/**
 * The scopes of a new key or client.
 *
 * @param wanted all that the maker may give unless given
 * @param rights what the maker may give
 * @throws ApiError `validation_failed`; `permission_denied` naming what the maker's role refuses
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
 * Whoever sees the secret of a key or client can do all that it may.
 *
 * @throws ApiError `permission_denied` naming what the role refuses
 */
export function requireRights(scopes: readonly Scope[], rights: readonly Scope[]): void {
  const beyond = scopes.filter((scope) => !rights.includes(scope))
  if (beyond.length === 0) return
  throw new ApiError('permission_denied', {
    message: `Your role may not do what ${beyond.length === 1 ? 'this scope allows' : 'these scopes allow'}: ${beyond.join(', ')}`,
    extra: { scopes: beyond },
  })
}
