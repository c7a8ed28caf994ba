import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'

/**
 * Browsers tell where a page comes from; servers do not (Node's own fetch sends `Sec-Fetch-Mode`, but no site). A page has
 * no business on a server-only path.
 *
 * @param mayNameOrigin servers of merchants name one where sessions are made (CHK-6), and nowhere else
 * @throws ApiError `origin_not_allowed`
 */
export function refuseBrowsers({ headers }: FastifyRequest, { mayNameOrigin }: { mayNameOrigin: boolean }): void {
  const site = headers['sec-fetch-site']
  const isPage = site !== undefined && site !== 'none'
  if (isPage || (!mayNameOrigin && headers.origin !== undefined)) {
    throw new ApiError('origin_not_allowed', { message: 'Call this path from your server, not from a page' })
  }
}

/** What `Sec-Fetch-Site` says of a request that no page made: of a tool, or of a person at the address bar. */
const NO_PAGE: ReadonlySet<unknown> = new Set([undefined, 'none'])

/**
 * Refuses a request that changes something and comes from a page other than the payment form. `Origin` and `Sec-Fetch-Site`
 * are set by the browser and by no page. The form's origin is enough for the API: its host may well be of another site than
 * the form's, and then the form's own calls are `cross-site` too. The page that posts to itself is `same-origin` always.
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

/** Whether the request comes from a page that the route responds. */
export type KnowsOrigin = (request: FastifyRequest) => Promise<boolean>

/** CORS for the origins a route knows. Another one gets no header, and its browser keeps the response from it. */
export async function allowOrigin(request: FastifyRequest, reply: FastifyReply, knows: KnowsOrigin): Promise<void> {
  reply.header('vary', 'origin')
  const { origin } = request.headers
  if (origin === undefined || !(await knows(request))) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'retry-after, request-id')
}

/** What a browser asks before it sends JSON across origins. It carries no credential, so it is answered without one. */
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
