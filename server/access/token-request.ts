import Type from 'typebox'
import { PasswordRequest, RefreshTokenRequest, RevokeRequest } from '../../contract/token.ts'
import { validatorOf } from '../http/schema-validator.ts'
import { ApiError } from '../lib/errors.ts'
import type { ClientCredentials } from './clients/client-credentials.ts'

export type TokenRequest = PasswordRequest | RefreshTokenRequest

const checkShape = validatorOf<{ grant_type: string }>(Type.Object({ grant_type: Type.String({ minLength: 1 }) }))
const checkRevocation = validatorOf<RevokeRequest>(RevokeRequest)
const checks = new Map<string, (body: unknown) => TokenRequest>([
  ['password', validatorOf<PasswordRequest>(PasswordRequest)],
  ['refresh_token', validatorOf<RefreshTokenRequest>(RefreshTokenRequest)],
])

/**
 * @param basic credentials of the Authorization header; with them the body may omit its own
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

/** Only the grant type, because the schema of the grant decides which of the other fields are secrets. */
function grantTypeIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'grant_type' in body ? { grant_type: body.grant_type } : body
}

/** @throws ApiError `validation_failed` */
export function readRevokeRequest(body: unknown, basic: ClientCredentials | null): RevokeRequest {
  return checkRevocation(withBasic(body, basic))
}

function withBasic(body: unknown, basic: ClientCredentials | null): unknown {
  return basic && typeof body === 'object' ? { ...body, ...basic } : body
}
