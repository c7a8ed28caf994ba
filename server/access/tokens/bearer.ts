import type { FastifyRequest } from 'fastify'
import { addressForCounting, canonicalAddress } from '../../http/client-address.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { rememberCredential } from '../../http/request-credential.ts'
import type { Access, Limit } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { API_KEY_PREFIX } from '../keys/api-key.ts'
import type { AllowedIpUse } from '../shared/allowed-ip-use.ts'
import { addressNotAllowed, bearerCredential } from '../shared/credential.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import { type BearerCaller, type BearerToken, looksLikeAccessToken } from './token.ts'

/**
 * Authenticates a call of the checkout API: the token must be valid, and the address on its business's list.
 *
 * @throws ApiError `unauthenticated`; `not_found` when the path names another business; `ip_not_allowed`
 * @see ACC-4, ACC-18, ACC-20, API-5
 */
export function bearerAccess({ bearerTokens, allowedIpUse, makeRateLimiter }: BearerServices): Access<BearerCaller> {
  const countUnknown = unknownCredentials(makeRateLimiter)
  return {
    name: 'bearer',
    scopesOf: ({ scopes }) => scopes,
    async check(request) {
      const secret = bearerCredential(request)
      const token = secret === null ? null : await bearerTokens.find(secret)
      if (!token) {
        if (secret !== null && looksLikeAccessToken(secret)) await countUnknown(request)
        throw secret?.startsWith(API_KEY_PREFIX) ? keyOnTokenPath() : unauthenticated()
      }
      const { business, clientId } = token.caller
      rememberCredential(request, { businessId: business.id, kind: 'oauth_client', id: clientId })
      requireOwnBusiness(request, token.caller)
      allowedIpUse.record({ businessId: business.id, address: requireAllowedIp(request, token) })
      return token.caller
    },
  }
}

interface BearerServices {
  bearerTokens: BearerTokens
  allowedIpUse: AllowedIpUse
  makeRateLimiter: MakeRateLimiter
}

/** Counts unknown tokens by the address that sends them. This does not affect valid tokens from the same address. */
export function unknownCredentials(makeRateLimiter: MakeRateLimiter): (request: FastifyRequest) => Promise<unknown> {
  const limiter = makeRateLimiter({ name: 'unknown_credential', points: 60, seconds: 60 })
  return ({ ip }) => limiter.consume(addressForCounting(ip))
}

/** Limits a business to 60 calls a minute, over all its paths (ACC-25). */
export function businessLimit(makeRateLimiter: MakeRateLimiter): Limit<Pick<BearerCaller, 'business'>> {
  const limiter = makeRateLimiter({ name: 'business', points: 60, seconds: 60 })
  return { limiter, key: (_request, { business }) => business.id }
}

/** @throws ApiError `not_found` when the path names another business */
export function requireOwnBusiness({ params }: FastifyRequest, caller: Pick<BearerCaller, 'business'>): void {
  const { business_id: businessId } = params as { business_id?: string }
  if (businessId !== undefined && businessId !== caller.business.id) {
    throw new ApiError('not_found', { message: 'No such business for this access token' })
  }
}

/** @returns the canonical address */
function requireAllowedIp({ ip }: FastifyRequest, { allowedIps }: BearerToken): string {
  const address = canonicalAddress(ip)
  if (address !== null && allowedIps.has(address)) return address
  throw addressNotAllowed(address, { advice: 'Register the static IP of your server.' })
}

export function unauthenticated(): ApiError {
  return invalidToken(
    'The access token is missing, expired or invalid. Send it as: Authorization: Bearer <ACCESS_TOKEN>',
  )
}

const keyOnTokenPath = () =>
  invalidToken(
    'This is a secret key, which is for the paths under /api/v1. Send an access token from POST /api/oauth/token',
  )

const invalidToken = (message: string) =>
  new ApiError('unauthenticated', { message, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
