import type { FastifyRequest } from 'fastify'
import { addressForCounting } from '../http/client-address.ts'
import { TOKEN_PATHS } from '../http/family.ts'
import type { MakeRateLimiter } from '../http/rate-limit.ts'
import { type Reply, type Route, route } from '../http/route.ts'
import { clientCredentialsAccess } from './clients/client-credentials.ts'
import { grantTokens } from './grant-tokens.ts'
import { USER_NAME_LIMIT } from './people/password-grant.ts'
import { revokeToken } from './revoke-token.ts'
import { readRevokeRequest, readTokenRequest } from './token-request.ts'
import type { RefreshContext } from './tokens/refresh-token-grant.ts'
import { tokenResponse } from './tokens/token.ts'
import { REVOKE_DOCUMENT, TOKEN_DOCUMENT } from './tokens/token-openapi.ts'

/** The token endpoint and its revocation. Both check secrets, so they share one rate limit. */
export function oauthRoutes(services: RefreshContext & { makeRateLimiter: MakeRateLimiter }): Route[] {
  const limiter = services.makeRateLimiter({ name: 'token', points: 10, seconds: 60 })
  const limits = [{ limiter, key: ({ ip }: FastifyRequest) => addressForCounting(ip) }]
  const context = { ...services, userNameLimiter: services.makeRateLimiter(USER_NAME_LIMIT) }
  const shared = { family: TOKEN_PATHS, access: clientCredentialsAccess, limits, acceptsForm: true }
  // The handlers check the bodies, because the schema depends on the grant.
  return [
    route({
      method: 'POST',
      path: '/api/oauth/token',
      ...shared,
      document: TOKEN_DOCUMENT,
      handle: async ({ body, caller, ip }) =>
        response(tokenResponse(await grantTokens(context, readTokenRequest(body, caller), ip))),
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

/** Every response has `Cache-Control: no-store`; RFC 6749 5.1 also requires the older header. */
const response = (body: object): Reply => ({ headers: { pragma: 'no-cache' }, body })
