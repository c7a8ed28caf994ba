import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { allowOrigin, isFromPage, type KnowsOrigin, refuseBrowsers, refuseForeignPages } from './browser-origin.ts'
import { addressForCounting } from './client-address.ts'
import { refuseOtherMedia } from './media-types.ts'
import { type RateLimiter, type RateLimitState, rateLimitHeaders, tighter } from './rate-limit.ts'
import type { Access, Route } from './route.ts'

export type WithCaller = FastifyRequest & { caller?: unknown }

export interface AdmissionOptions {
  /** Origins that may read the response; `null` for a route without CORS. */
  knowsOrigin: KnowsOrigin | null
  formOrigin: string
  /** Counts callers without a valid credential by their address. */
  anonymousLimiter: RateLimiter
  /** Counts every caller by its address, before the credential is checked. */
  perAddress: RateLimiter | null
  /** Called if a page calls a path that takes a server's credential; the request may contain one. */
  onPageCall: ((request: FastifyRequest) => void) | undefined
}

/** Access kinds of merchants' servers. */
const SERVERS: ReadonlySet<Access<unknown>['name']> = new Set(['bearer', 'secret key'])

/**
 * Checks everything that is checked before the body is read: origin, address limit, credential, rate limits, media
 * type.
 *
 * @throws ApiError
 */
export async function admit(
  route: Route,
  request: WithCaller,
  reply: FastifyReply,
  options: AdmissionOptions,
): Promise<void> {
  const { browsers, method, family, access } = route
  const { knowsOrigin, formOrigin, perAddress, onPageCall } = options
  if (onPageCall && SERVERS.has(access.name) && isFromPage(request, family)) onPageCall(request)
  if (knowsOrigin && browsers === 'form') await allowOrigin(request, reply, knowsOrigin)
  if (browsers === undefined) refuseBrowsers(request, family)
  const toItself = browsers === 'itself'
  if (toItself || (browsers === 'form' && method !== 'GET')) refuseForeignPages(request, { formOrigin, toItself })
  const addressState = perAddress ? await perAddress.consume(addressForCounting(request.ip)) : null
  await identify(route, request, reply, options)
  const tightest = await count(route, request, addressState)
  if (tightest) reply.headers(rateLimitHeaders(tightest))
  requireScope(route, request)
  refuseOtherMedia(route, request.headers)
}

/** @throws ApiError `permission_denied`, naming the scope that the credential lacks */
function requireScope({ access, scope = null }: Route, { caller }: WithCaller): void {
  if (scope === null || access.scopesOf?.(caller).has(scope)) return
  const credential = access.name === 'secret key' ? 'secret key' : 'access token'
  throw new ApiError('permission_denied', {
    message: `This ${credential} lacks the scope ${scope}. Use one that has it, or give it to a new one in the dashboard.`,
    extra: { scope },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}

/**
 * Identifies the caller. Merchants' origins are looked up only for callers with a valid credential, and for those
 * counted as anonymous.
 */
async function identify(
  { access, browsers }: Route,
  request: WithCaller,
  reply: FastifyReply,
  { knowsOrigin, anonymousLimiter }: AdmissionOptions,
): Promise<void> {
  const knowsMerchant = typeof browsers === 'function' ? knowsOrigin : null
  try {
    request.caller = await access.check(request)
  } catch (refusal) {
    // Callers of public paths have been counted already.
    if (access.name !== 'public') await anonymousLimiter.consume(addressForCounting(request.ip))
    if (knowsMerchant) await allowOrigin(request, reply, knowsMerchant)
    throw refusal
  }
  if (knowsMerchant) await allowOrigin(request, reply, knowsMerchant)
}

/** @returns the state of the limit that is closest to refusing; `null` for a route without limits of its own */
async function count(
  { limits = [] }: Route,
  request: WithCaller,
  addressState: RateLimitState | null,
): Promise<RateLimitState | null> {
  const counted = limits.flatMap(({ limiter, key }) => {
    const caller = key(request, request.caller)
    return caller === null ? [] : [{ limiter, caller }]
  })
  // A caller who is over one limit uses up nothing of the others.
  for (const { limiter, caller } of counted) limiter.refuseOver(caller)
  let tightest = counted.length > 0 ? addressState : null
  for (const { limiter, caller } of counted) tightest = tighter(tightest, await limiter.consume(caller))
  return tightest
}
