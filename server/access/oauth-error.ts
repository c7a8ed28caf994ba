import OAuth2Server from '@node-oauth/oauth2-server'
import { ApiError, type ErrorCode } from '../lib/errors.ts'

/** Our codes for those of RFC 6749 5.2; each has a status (ACC-9). */
const CODES: Record<string, ErrorCode> = {
  invalid_request: 'validation_failed',
  invalid_client: 'invalid_client',
  invalid_grant: 'invalid_grant',
  invalid_scope: 'invalid_scope',
  unauthorized_client: 'unsupported_grant_type',
  unsupported_grant_type: 'unsupported_grant_type',
}

/** Messages in place of the library's, which do not say what would be right. */
const MESSAGES: Record<string, string> = {
  invalid_client: 'The client id or the client secret is wrong, or the client was revoked',
  unauthorized_client: 'This client may not use that grant type',
}

/**
 * Converts an error of the library into our refusal. Errors that our own functions threw inside it (rate limit,
 * database unavailable) are unwrapped.
 *
 * @param invalidGrant message for a wrong grant
 */
export function grantRefusal(error: unknown, invalidGrant: string): unknown {
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
