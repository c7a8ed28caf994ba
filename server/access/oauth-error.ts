import OAuth2Server from '@node-oauth/oauth2-server'
import { ApiError, type ErrorCode } from '../lib/errors.ts'

/** RFC 6749 5.2 as our codes, which know their status (ACC-9). */
const CODES: Record<string, ErrorCode> = {
  invalid_request: 'validation_failed',
  invalid_client: 'invalid_client',
  invalid_grant: 'invalid_grant',
  unauthorized_client: 'unsupported_grant_type',
  unsupported_grant_type: 'unsupported_grant_type',
}

/** The library's own words name its parameters, not what would be right. */
const MESSAGES: Record<string, string> = {
  invalid_client: 'The client id or the client secret is wrong, or the client was revoked',
  unauthorized_client: 'This client may not use that grant type',
}

/**
 * What the library threw, as a refusal of ours. It wraps what our own functions throw (a full counter, a database that is
 * away): that comes out as it went in.
 *
 * @param invalidGrant what to say when the grant itself was wrong
 */
export function refusalOfGrant(error: unknown, invalidGrant: string): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error
  const { name, inner } = error as { name: string; inner?: unknown }
  const code = CODES[name]
  if (code === undefined) return inner ?? error
  const message = code === 'invalid_grant' ? invalidGrant : (MESSAGES[name] ?? error.message)
  return new ApiError(code, {
    message,
    extra: { error: name },
    ...(code === 'validation_failed' && { errors: { body: [message] } }),
  })
}
