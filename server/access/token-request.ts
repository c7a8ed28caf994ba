import Type from 'typebox'
import { isScope, SCOPES, type Scope } from '../../contract/scopes.ts'
import { PasswordRequest, RefreshTokenRequest, RevokeRequest } from '../../contract/token.ts'
import { validatorOf } from '../http/schema-validator.ts'
import { ApiError } from '../lib/errors.ts'
import type { ClientCredentials } from './clients/client-credentials.ts'
import { invalidScope } from './tokens/token-scopes.ts'

/** Separator of scopes by RFC 6749 3.3: names come in any order, with one space between two. */
const SCOPE_SEPARATOR = / +/

export type TokenRequest = PasswordRequest | RefreshTokenRequest

const checkShape = validatorOf<{ grant_type: string }>(Type.Object({ grant_type: Type.String({ minLength: 1 }) }))
const checkRevocation = validatorOf<RevokeRequest>(RevokeRequest)
const checks = new Map<string, (body: unknown) => TokenRequest>([
  ['password', validatorOf<PasswordRequest>(PasswordRequest)],
  ['refresh_token', validatorOf<RefreshTokenRequest>(RefreshTokenRequest)],
])

/**
 * @param basic credentials of the Authorization header; if present, the body may omit its own
 * @throws ApiError `validation_failed`, `unsupported_grant_type`
 */
export function readTokenRequest(body: unknown, basic: ClientCredentials | null): TokenRequest {
  const { grant_type } = checkShape(grantTypeIn(body))
  const check = checks.get(grant_type)
  if (check) return check(withBasic(body, basic))
  throw new ApiError('unsupported_grant_type', {
    message: `grant_type must be one of ${[...checks.keys()].join(', ')}`,
  })
}

/**
 * Returns the scopes that a token request asks for, in the order of our list; `null` for all, which is also what
 * clients mean by an empty text.
 *
 * @throws ApiError `invalid_scope`
 * @see ACC-79
 */
export function askedScopes({ scope }: TokenRequest): Scope[] | null {
  const names = (scope ?? '').split(SCOPE_SEPARATOR).filter((name) => name !== '')
  if (names.length === 0) return null
  if (!names.every(isScope)) throw invalidScope(`must be one of ${SCOPES.join(', ')}, or several with a blank between`)
  return SCOPES.filter((one) => names.includes(one))
}

/** Picks the grant type alone, because the schema of the grant decides which of the other fields are secrets. */
function grantTypeIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'grant_type' in body ? { grant_type: body.grant_type } : body
}

/** @throws ApiError `validation_failed` */
export function readRevokeRequest(body: unknown, basic: ClientCredentials | null): RevokeRequest {
  return checkRevocation(withBasic(body, basic))
}

/**
 * Adds the credentials of the header to the body.
 *
 * @throws ApiError `validation_failed` if header and body name different credentials: whose request it is would be a
 * guess (RFC 6749 2.3)
 * @see ACC-79
 */
function withBasic(body: unknown, basic: ClientCredentials | null): unknown {
  if (basic === null || typeof body !== 'object' || body === null) return body
  for (const name of ['client_id', 'client_secret'] as const) {
    const given = (body as Record<string, unknown>)[name]
    if (given !== undefined && given !== null && given !== '' && given !== basic[name]) throw differs(name)
  }
  return { ...body, ...basic }
}

function differs(name: string): ApiError {
  const text = 'differs from the Authorization header: send the credentials of the client in one place'
  return new ApiError('validation_failed', {
    message: `${name} ${text}`,
    errors: { [name]: [text] },
    extra: { error: 'invalid_request' },
  })
}
