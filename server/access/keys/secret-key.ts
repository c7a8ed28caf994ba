import { addressForCounting, canonicalAddress } from '../../http/client-address.ts'
import { type MakeRateLimiter, type RateLimit, type RateLimitState, rateLimitHeaders } from '../../http/rate-limit.ts'
import { rememberCredential } from '../../http/request-credential.ts'
import type { Access, Limit } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Environment } from '../shared/context.ts'
import { addressNotAllowed, bearerCredential } from '../shared/credential.ts'
import { API_KEY_PREFIX, type KeyCaller, readApiKey } from './api-key.ts'
import type { ApiKeyUse } from './api-key-use.ts'
import type { ApiKeys } from './api-keys.ts'

const KEY_RATE: RateLimit = { name: 'api_key', points: 60, seconds: 60 }
const SEND = `Send a secret key as: Authorization: Bearer ${API_KEY_PREFIX}…`
const ADVICE = 'A secret key works only from the one or two addresses on its list. Rotate the key to change them.'

/**
 * Authenticates a call of the merchant API: the key must be valid, and the address on its list. Invalid keys are
 * limited to 10 a minute for each address (ATT-3); that does not affect valid keys from the same address.
 *
 * @throws ApiError `unauthenticated`, `rate_limited`, `ip_not_allowed`
 * @see ACC-13 to ACC-19, API-5
 */
export function secretKeyAccess({
  apiKeys,
  apiKeyUse,
  makeRateLimiter,
  environment,
}: {
  apiKeys: ApiKeys
  apiKeyUse: ApiKeyUse
  makeRateLimiter: MakeRateLimiter
  environment: Environment
}): Access<KeyCaller> {
  const invalidKeys = makeRateLimiter({ name: 'invalid_key', points: 10, seconds: 60 })
  const requests = makeRateLimiter(KEY_RATE)
  return {
    name: 'secret key',
    scopesOf: ({ scopes }) => scopes,
    async check(request) {
      const credential = bearerCredential(request)
      if (credential === null) throw missingKey(await invalidKeys.look(addressForCounting(request.ip)))
      // A text that cannot be a key does not cost a query.
      const key = readApiKey(credential) === environment ? await apiKeys.find(credential) : null
      if (!key) {
        const counted = await invalidKeys.consume(addressForCounting(request.ip))
        throw invalidKey(describeProblem(credential, environment), counted)
      }
      const { caller } = key
      rememberCredential(request, { businessId: caller.business.id, kind: 'api_key', id: caller.keyId })
      const address = canonicalAddress(request.ip)
      if (address === null || !key.allowedIps.has(address)) {
        throw addressNotAllowed(address, {
          advice: ADVICE,
          headers: rateLimitHeaders(await requests.look(caller.keyId)),
        })
      }
      apiKeyUse.record({ keyId: caller.keyId, businessId: caller.business.id, address })
      return caller
    },
  }
}

/** Limits each key to 60 calls a minute, over all paths and processes (ACC-25). */
export function keyLimit(makeRateLimiter: MakeRateLimiter): Limit<KeyCaller> {
  return { limiter: makeRateLimiter(KEY_RATE), key: (_request, { keyId }) => keyId }
}

/** Refuses a call without a key. It counts nothing, because no key was tried. */
function missingKey(counted: RateLimitState): ApiError {
  const headers = { 'www-authenticate': 'Bearer', ...rateLimitHeaders(counted) }
  return new ApiError('unauthenticated', { message: `The API key is missing. ${SEND}`, headers })
}

function invalidKey(message: string, counted: RateLimitState): ApiError {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"', ...rateLimitHeaders(counted) }
  return new ApiError('unauthenticated', { message, headers })
}

/**
 * Describes what is wrong with a key. It reveals nothing beyond the text itself, except whether a well-formed key
 * works.
 */
function describeProblem(credential: string, environment: Environment): string {
  const of = readApiKey(credential)
  if (of === environment) return 'This API key is unknown, revoked or expired.'
  if (of !== null) return `This is a ${of} key, but this is ${environment}. Each environment has its own keys.`
  if (credential.startsWith(API_KEY_PREFIX)) return 'This API key is malformed: its checksum does not match.'
  if (/^rc_[a-z]{2}_/.test(credential)) return `This credential is not for the paths under /api/v1. ${SEND}`
  return `This is not an API key. ${SEND}`
}
