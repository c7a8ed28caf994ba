import OAuth2Server from '@node-oauth/oauth2-server'
import { grantRefusal } from './oauth-error.ts'
import { type Asked, type GrantContext, oauthModel } from './oauth-model.ts'
import { FAILURES_MAX, LOCK_SECONDS } from './people/sign-in-lock.ts'
import type { TokenRequest } from './token-request.ts'
import { ACCESS_TOKEN_SECONDS, FAMILY_SECONDS, type TokenPair } from './tokens/token.ts'

const INVALID_GRANT = {
  // One text for an unknown name, a wrong password and a locked name: a difference would only help an attacker.
  password: `The user name or the password is wrong, or the person may not use this grant: it is for owners, admins and developers, and for people with a second factor only where an owner has allowed it for the client. A user name is locked for ${LOCK_SECONDS / 60} minutes after ${FAILURES_MAX} failures.`,
  refresh_token:
    'The refresh token is unknown, expired, revoked or already used. Sign in again with the password grant.',
}

/**
 * Responds to one token request.
 *
 * @throws ApiError `invalid_client`, `invalid_grant`, `invalid_scope`, `unsupported_grant_type`, `rate_limited`
 * @see ACC-3, ACC-9, ACC-79
 */
export async function grantTokens(context: GrantContext, body: TokenRequest, asked: Asked): Promise<TokenPair> {
  const { redirect_uri: _redirectUri, scope: _scope, ...request } = body
  const server = new OAuth2Server({
    model: oauthModel(context, asked),
    // The library requires these, but its dates are not used: storeTokens computes them from our clock.
    accessTokenLifetime: ACCESS_TOKEN_SECONDS,
    refreshTokenLifetime: FAMILY_SECONDS,
  })
  try {
    const { accessToken, refreshToken = '' } = await server.token(asForm(request), new OAuth2Server.Response())
    return { accessToken, refreshToken }
  } catch (error) {
    throw grantRefusal(error, INVALID_GRANT[body.grant_type])
  }
}

/** Makes a form, because the library reads nothing else. The body, perhaps JSON, is already validated. */
function asForm(body: object) {
  const length = String(Buffer.byteLength(JSON.stringify(body)))
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': length }
  return new OAuth2Server.Request({ method: 'POST', query: {}, headers, body })
}
