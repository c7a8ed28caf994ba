import type { FastifyRequest } from 'fastify'
import { addressForCounting } from '../http/client-address.ts'
import { TOKEN_PATHS } from '../http/family.ts'
import type { MakeRateLimiter } from '../http/rate-limit.ts'
import { type Reply, type Route, route } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { type ClientCredentials, clientCredentialsAccess } from './clients/client-credentials.ts'
import { writeRefreshReuse } from './clients/client-queries.ts'
import { grantTokens } from './grant-tokens.ts'
import type { GrantContext } from './oauth-model.ts'
import { USER_NAME_LIMIT } from './people/password-grant.ts'
import { revokeToken } from './revoke-token.ts'
import { askedScopes, readRevokeRequest, readTokenRequest } from './token-request.ts'
import { endIfReused, type RefreshContext } from './tokens/refresh-token-grant.ts'
import { tokenResponse } from './tokens/token.ts'
import { REVOKE_DOCUMENT, TOKEN_DOCUMENT } from './tokens/token-openapi.ts'

/** Returns the routes of the token endpoint and of revocation. Both check secrets, so they share one rate limit. */
export function oauthRoutes(
  services: Omit<RefreshContext, 'noteReuse'> & { makeRateLimiter: MakeRateLimiter },
): Route[] {
  const limiter = services.makeRateLimiter({ name: 'token', points: 10, seconds: 60 })
  const limits = [{ limiter, key: ({ ip }: FastifyRequest) => addressForCounting(ip) }]
  const context = {
    ...services,
    noteReuse: writeRefreshReuse,
    userNameLimiter: services.makeRateLimiter(USER_NAME_LIMIT),
  }
  const shared = { family: TOKEN_PATHS, access: clientCredentialsAccess, limits, acceptsForm: true }
  // The handlers validate the bodies, because the schema depends on the grant.
  return [
    route({
      method: 'POST',
      path: '/api/oauth/token',
      ...shared,
      document: TOKEN_DOCUMENT,
      handle: ({ body, caller, ip }) =>
        watchingReuse(context, { body, ip }, () => grant(context, { body, caller, ip })),
    }),
    route({
      method: 'POST',
      path: '/api/oauth/revoke',
      ...shared,
      document: REVOKE_DOCUMENT,
      async handle({ body, caller }) {
        const { token, client_id: clientId, client_secret: clientSecret } = readRevokeRequest(body, caller)
        await revokeToken(context, { token, clientId, clientSecret })
        return response({ ok: true })
      },
    }),
  ]
}

interface TokenCall {
  body: unknown
  caller: ClientCredentials | null
  ip: string
}

async function grant(context: GrantContext, { body, caller, ip }: TokenCall): Promise<Reply> {
  const request = readTokenRequest(body, caller)
  const scopes = askedScopes(request)
  return response(tokenResponse(await grantTokens(context, request, { ip, scopes }), scopes))
}

/** Whether the refusal means that the caller has not proved to be the client. */
const isStranger = (refusal: unknown) =>
  refusal instanceof ApiError && (refusal.code === 'invalid_client' || refusal.code === 'validation_failed')

/**
 * Watches for reuse: a request without the client's secret may still show that its refresh token is in the wrong hands
 * (ACC-8).
 */
async function watchingReuse(
  context: RefreshContext,
  { body, ip }: Pick<TokenCall, 'body' | 'ip'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (refusal) {
    const { refresh_token: secret } = (body ?? {}) as { refresh_token?: unknown }
    if (typeof secret === 'string' && isStranger(refusal)) await endIfReused(context, secret, ip)
    throw refusal
  }
}

/**
 * Returns a response with the older header that RFC 6749 5.1 also requires; `Cache-Control: no-store` is in every
 * response.
 */
const response = (body: object): Reply => ({ headers: { pragma: 'no-cache' }, body })
