import type { FastifyRequest } from 'fastify'
import { BrowserTokenCreate } from '../../../contract/browser-token.ts'
import { addressForCounting } from '../../http/client-address.ts'
import { CHECKOUT_API } from '../../http/family.ts'
import type { MakeRateLimiter, RateLimiter } from '../../http/rate-limit.ts'
import { type Access, type Limit, type Route, route } from '../../http/route.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { credentialHash, credentialHashes } from '../../lib/keyring.ts'
import { type Cents, centsFromDecimal } from '../../lib/money.ts'
import type { AccessContext } from '../shared/context.ts'
import { bearerCredential } from '../shared/credential.ts'
import { businessLimit, requireOwnBusiness, unauthenticated, unknownCredentials } from './bearer.ts'
import type { CreatorCaller } from './browser-token.ts'
import {
  findBrowserToken,
  insertBrowserToken,
  returnBrowserTokenUse,
  useBrowserToken,
} from './browser-token-queries.ts'
import { type BearerCaller, looksLikeBrowserToken, newSecret } from './token.ts'
import { BROWSER_TOKEN_DOCUMENT } from './token-openapi.ts'

// A browser token lets a merchant's page create sessions and nothing else: for minutes, from one origin, a few times,
// up to an amount. An access token in a page could charge every stored card. Only the merchant's server can name the
// customer of such sessions, by binding the token, because anyone may have typed what a page sends.

/**
 * Authenticates the two paths that create sessions.
 *
 * @throws ApiError `unauthenticated`, `not_found`, `ip_not_allowed` (servers only), `origin_mismatch` (pages only)
 * @see ACC-21 to ACC-23
 */
export function creatorAccess(
  services: AccessContext & { makeRateLimiter: MakeRateLimiter },
  bearer: Access<BearerCaller>,
): Access<CreatorCaller> {
  const { makeRateLimiter } = services
  const context = {
    ...services,
    countUnknown: unknownCredentials(makeRateLimiter),
    creates: makeRateLimiter({ name: 'browser_create', points: 60, seconds: 60 }),
  }
  return {
    name: 'bearer',
    scopesOf: ({ scopes }) => scopes,
    async check(request) {
      const secret = bearerCredential(request) ?? ''
      if (looksLikeBrowserToken(secret)) return browserCaller(context, request, secret)
      return { ...(await bearer.check(request)), browserToken: null }
    },
  }
}

/**
 * Limits pages by their address, and their business only by the sessions that they create. Failed requests of one page
 * therefore block neither other pages nor the merchant's server, which has a counter of its own.
 */
export function limitsOfCreators(makeRateLimiter: MakeRateLimiter): Limit<CreatorCaller>[] {
  const pages = makeRateLimiter({ name: 'browser_ip', points: 30, seconds: 60 })
  const servers = businessLimit(makeRateLimiter)
  return [
    { limiter: pages, key: ({ ip }, { browserToken }) => (browserToken ? addressForCounting(ip) : null) },
    { ...servers, key: (request, caller) => (caller.browserToken ? null : servers.key(request, caller)) },
  ]
}

interface PageContext extends AccessContext {
  countUnknown(request: FastifyRequest): Promise<unknown>
  /** Counts the sessions that pages of a business created. */
  creates: RateLimiter
}

async function browserCaller(context: PageContext, request: FastifyRequest, secret: string): Promise<CreatorCaller> {
  const { db, keyring, clock, environment } = context
  const token = await findBrowserToken(db, { hashes: credentialHashes(keyring, secret), environment, now: clock.now() })
  if (!token) {
    await context.countUnknown(request)
    throw unauthenticated()
  }
  requireOwnBusiness(request, token.caller)
  if (request.headers.origin !== token.origin) {
    const text = `must be ${token.origin}, the origin that this browser token was created for`
    throw new ApiError('origin_mismatch', { message: `origin ${text}`, errors: { origin: [text] } })
  }
  const use = () => takeUse(context, token.hash, token.caller.business.id)
  return {
    ...token.caller,
    browserToken: { amountMax: token.amountMax as Cents | null, customer: token.customer, use },
  }
}

async function takeUse({ db, clock, creates }: PageContext, hash: Buffer, businessId: string): Promise<void> {
  if (!(await useBrowserToken(db, hash, clock.now()))) throw unauthenticated()
  try {
    await creates.consume(businessId)
  } catch (tooMany) {
    await returnBrowserTokenUse(db, hash)
    throw tooMany
  }
}

/** Returns the route that creates browser tokens for a merchant's server, which passes them to its page. */
export function browserTokenRoutes(
  context: AccessContext & { bearer: Access<BearerCaller>; limits: Limit<BearerCaller>[] },
): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/{business_id}/browser-tokens',
      scope: 'checkout_sessions:write',
      family: CHECKOUT_API,
      access: context.bearer,
      limits: context.limits,
      body: BrowserTokenCreate,
      document: BROWSER_TOKEN_DOCUMENT,
      handle: async ({ caller, body }) => ({ body: await createBrowserToken(context, caller, body) }),
    }),
  ]
}

/** @throws ApiError `validation_failed`; `not_found` for a customer that the business does not have */
async function createBrowserToken(
  { db, keyring, clock }: AccessContext,
  caller: BearerCaller,
  body: BrowserTokenCreate,
) {
  const { business, clientId, familyId, redirectOrigin } = caller
  if (new URL(body.origin).origin !== redirectOrigin || body.origin !== redirectOrigin) {
    throw invalidField('origin', `must be ${redirectOrigin}, the origin of the client's redirect URL`)
  }
  const token = newSecret('rc_bt_')
  const now = clock.now()
  const expiresAt = addSeconds(now, body.ttl_seconds)
  const inserted = await insertBrowserToken(db, {
    token_hash: credentialHash(keyring, token),
    business_id: business.id,
    client_id: clientId,
    family_id: familyId,
    origin: body.origin,
    uses_left: body.max_uses,
    amount_max: body.max_amount === undefined ? null : centsFromDecimal(body.max_amount),
    customer_id: body.customer_id ?? null,
    customer_email: body.customer_email ?? null,
    expires_at: expiresAt,
    created_at: now,
  })
  if (!inserted) {
    throw new ApiError('not_found', {
      message: 'No such customer',
      errors: { customer_id: ['does not exist in this business'] },
    })
  }
  return { ok: true, message: 'Browser token created', browser_token: token, expires_at: expiresAt.toISOString() }
}
