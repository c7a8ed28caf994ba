import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'

/**
 * Whether a page sent a request that is meant for servers. Browsers send the site of the calling page; servers do not
 * (Node's own fetch sends `Sec-Fetch-Mode`, but no site).
 *
 * @param mayNameOrigin whether a server may send `Origin`, as it may when it creates a session (CHK-6)
 */
export function isFromPage({ headers }: FastifyRequest, { mayNameOrigin }: { mayNameOrigin: boolean }): boolean {
  const site = headers['sec-fetch-site']
  const isPage = site !== undefined && site !== 'none'
  return isPage || (!mayNameOrigin && headers.origin !== undefined)
}

/**
 * Refuses pages on a path that is for servers only.
 *
 * @throws ApiError `origin_not_allowed`
 */
export function refuseBrowsers(request: FastifyRequest, family: { mayNameOrigin: boolean }): void {
  if (!isFromPage(request, family)) return
  throw new ApiError('origin_not_allowed', { message: 'Call this path from your server, not from a web page' })
}

/** `Sec-Fetch-Site` of a request that no page made: it came from a tool, or from the address bar. */
const NO_PAGE: ReadonlySet<unknown> = new Set([undefined, 'none'])

/**
 * Refuses a request that changes something and comes from a page other than the payment form. Pages cannot set `Origin`
 * and `Sec-Fetch-Site`; browsers do. For the API the form's origin is sufficient, because the API may be on another
 * site than the form, and then the form's own calls are `cross-site`. A page that posts to itself is always
 * `same-origin`.
 *
 * @throws ApiError `origin_not_allowed`
 */
export function refuseForeignPages(
  { headers }: FastifyRequest,
  { formOrigin, toItself }: { formOrigin: string; toItself: boolean },
): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isForm = origin === formOrigin
  const isNoPage = origin === undefined && NO_PAGE.has(site)
  const isItself = (isForm || origin === undefined) && (NO_PAGE.has(site) || site === 'same-origin')
  if (toItself ? isItself : isForm || isNoPage) return
  throw new ApiError('origin_not_allowed', { message: 'Only the payment form may call this path from a page' })
}

/** Whether the request comes from a page that may read the route's response. */
export type KnowsOrigin = (request: FastifyRequest) => Promise<boolean>

/**
 * Sets CORS headers for the origins that a route knows. A page of another origin gets none and cannot read the
 * response.
 */
export async function allowOrigin(request: FastifyRequest, reply: FastifyReply, knows: KnowsOrigin): Promise<void> {
  reply.header('vary', 'origin')
  const { origin } = request.headers
  if (origin === undefined || !(await knows(request))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'retry-after, request-id')
}

/** Responds to the request that a browser sends before JSON across origins. It carries no credential. */
export async function respondToPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { knowsOrigin, method, headers }: { knowsOrigin: KnowsOrigin; method: string; headers: string },
): Promise<FastifyReply> {
  await allowOrigin(request, reply, knowsOrigin)
  reply.headers({
    'access-control-allow-methods': method,
    'access-control-allow-headers': headers,
    'access-control-max-age': '600',
  })
  return reply.code(204).send()
}
