import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { TIMEOUTS, type Timeouts } from '../lib/http-connections.ts'
import { newId } from '../lib/ids.ts'
import { brokenRequestHandler } from './broken-request.ts'
import { addressForCounting, canonicalAddress } from './client-address.ts'
import { type HomeOf, leadHome } from './configured-address.ts'
import { sendRefusal, toApiError } from './error-response.ts'
import { API_PATHS, type Family, familyOfPath, type PathFamily } from './family.ts'
import { rejectMalformedRequest } from './malformed-request.ts'
import { addBodyParsers } from './media-types.ts'
import { mountRoute } from './mount-route.ts'
import { KEEP_ALIVE_MS, prepareConnections } from './prepare-connections.ts'
import { noRateLimiters, type RateLimiter, rateLimitHeaders } from './rate-limit.ts'
import { type RequestCredential, whenCredentialKnown } from './request-credential.ts'
import type { Route } from './route.ts'
import { trustedBy } from './trusted-proxies.ts'
import { decodableUrl, isRouted, unknownPathRefusal } from './unknown-path.ts'

export const BODY_BYTES_MAX = 65_536
const URL_BYTES_MAX = 2_048
/** Longest parameter: as long as all headers may be, so that one of any length is an ordinary unknown path. */
const PARAMETER_CHARACTERS_MAX = 16_384

/**
 * Headers of every response. URLs contain session tokens, so browsers must not pass them on; and no page of another
 * origin may load a response.
 */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // For documents: no page of another origin keeps a reference to its window. Some documents loosen it for popups.
  'cross-origin-opener-policy': 'same-origin',
}

export interface ReportedRequest {
  method: string
  /** Pattern of the route, never the URL, which may contain a session token. */
  path: string
  status: number
  seconds: number
}

/** A refused call without what it sent: no body, no query, no value of the path. */
export interface RefusedCall {
  credential: RequestCredential
  method: string
  /** Pattern of the route; `null` if there is none. */
  path: string | null
  status: number
  /** Code as the response has it. */
  code: string
  /** Names of the wrong fields, as the refusal has them. */
  fields: string[]
  ip: string
  requestId: string
}

export interface ServerOptions {
  routes: Route[]
  log: FastifyBaseLogger
  /** Addresses or ranges whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** Origin of the payment form: the only one whose pages may call `browsers: 'form'` routes. */
  formOrigin: string
  onResponse?: (request: ReportedRequest) => void
  /** Called if a merchant's server with a known credential was refused. */
  onRefusal?: (refused: RefusedCall) => void
  /**
   * Called if a page calls a path that takes a server's credential, which it may have sent. This happens before
   * anything is checked; the function must return at once and not throw.
   */
  onPageCall?: (request: FastifyRequest) => void
  /** Whether a path is unknown on the host that the request names. Without it, all hosts are one. */
  isElsewhere?: (path: string, host: string) => boolean
  /** Returns the address that a page belongs to; without it, paths may be served under any name. */
  homeOf?: HomeOf | undefined
  /** Counts callers of public and of unknown paths by their address; without it, nothing is counted. */
  anonymousLimiter?: RateLimiter
  /**
   * Families of requests that no route takes, and of those that could not be read; by default those of the API host.
   */
  families?: readonly PathFamily[]
  /** What happens before an unknown path or method is refused, by family. */
  onUnknownPath?: ReadonlyMap<Family, OnUnknownPath>
  timeouts?: Timeouts
  /** How long a connection may wait for its next request. */
  keepAliveMs?: number
  /**
   * Maximum number of connections open at once, in total and from one address. Without it, only the system's limit
   * applies.
   */
  maxConnections?: { inAll: number; perAddress: number }
}

/** Handles a request to an unknown path. It may set headers of the response. */
export type OnUnknownPath = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Family of the route; absent if no route takes the request. */
    family?: Family
  }
}

/**
 * Creates a listener with its routes. Checks run in this order (API-5): path, credential, address, rate, syntax of the
 * body, schema of the body. Existence and state are checked by the use case.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { families = API_PATHS, anonymousLimiter = UNCOUNTED } = options
  const refuseUnknownPath = unknownPathRefusal(options.routes, options.isElsewhere)
  const isLedHome = leadHome(options.homeOf)
  const app: FastifyInstance = Fastify(fastifyOptions(options, families))
  prepareConnections(app.server, options)
  addBodyParsers(app, BODY_BYTES_MAX)
  app.addHook('onRequest', async (request, reply) => {
    const family = familyOf(request, families)
    reply.headers(headersOf(request, family))
    rejectMalformedRequest(request.raw, URL_BYTES_MAX)
    if (isLedHome(request, reply)) return reply
    try {
      refuseUnknownPath(request, reply)
    } catch (refusal) {
      await anonymousLimiter.consume(addressForCounting(request.ip))
      await options.onUnknownPath?.get(family)?.(request, reply)
      throw refusal
    }
  })
  app.addHook('onResponse', async (request, reply) => report(request, reply.statusCode, reply.elapsedTime, options))
  app.setErrorHandler(async (error, request, reply) => {
    const family = familyOf(request, families)
    const isCounted = !family.alwaysLimited || reply.hasHeader('ratelimit-limit') || hasRate(error)
    const refusal = isCounted ? error : await countedRefusal(error, request, reply, anonymousLimiter)
    reportRefusal(request, toApiError(refusal), family, options)
    return sendRefusal(refusal, family, { request, reply })
  })
  const { formOrigin, onPageCall } = options
  for (const route of options.routes) mountRoute(app, route, { formOrigin, anonymousLimiter, onPageCall })
  return app
}

function fastifyOptions(
  { log, trustedProxies, timeouts = TIMEOUTS, keepAliveMs = KEEP_ALIVE_MS }: ServerOptions,
  families: readonly PathFamily[],
): FastifyHttpOptions<RawServerDefault, FastifyBaseLogger> {
  return {
    loggerInstance: log,
    // Fastify's own log lines contain the URL, which may contain a session token.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    trustProxy: trustedProxies.length > 0 ? trustedBy(trustedProxies) : false,
    bodyLimit: BODY_BYTES_MAX,
    // A test examines the few patterns of path-pattern.ts, so a start need not check each use of them.
    routerOptions: { maxParamLength: PARAMETER_CHARACTERS_MAX, caseSensitive: true, allowUnsafeRegex: true },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: keepAliveMs,
    maxRequestsPerSocket: 10_000,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.lookEveryMs,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    frameworkErrors: (error, request, reply) => {
      // No hook has run. URLs that cannot be decoded and long parameters are refused elsewhere.
      const family = familyOf(request, families)
      reply.headers(headersOf(request, family))
      sendRefusal(malformationOf(request) ?? error, family, { request, reply })
    },
    clientErrorHandler: brokenRequestHandler(families),
  }
}

/** Returns the family of the route, or of the path if no route takes the request. */
function familyOf(request: FastifyRequest, families: readonly PathFamily[]): Family {
  const family = isRouted(request) ? request.routeOptions.config?.family : undefined
  return family ?? familyOfPath(families, request.url)
}

function malformationOf({ raw }: FastifyRequest): unknown {
  try {
    rejectMalformedRequest(raw, URL_BYTES_MAX)
    return null
  } catch (refusal) {
    return refusal
  }
}

const UNCOUNTED = noRateLimiters({ name: 'uncounted', points: 60, seconds: 60 })

const hasRate = (error: unknown) => error instanceof ApiError && error.detail.headers?.['ratelimit-limit'] !== undefined

/** Counts a request that was refused before its caller was known for its address, and sends the state of that limit. */
async function countedRefusal(
  error: unknown,
  { ip }: FastifyRequest,
  reply: FastifyReply,
  anonymousLimiter: RateLimiter,
): Promise<unknown> {
  try {
    reply.headers(rateLimitHeaders(await anonymousLimiter.consume(addressForCounting(ip))))
    return error
  } catch (tooMany) {
    return tooMany
  }
}

const headersOf = ({ id }: FastifyRequest, family: Family) => ({ 'request-id': id, ...HEADERS, ...family.headers })

function reportRefusal(
  request: FastifyRequest,
  { status, code, detail }: ApiError,
  family: Family,
  { onRefusal }: ServerOptions,
): void {
  if (!onRefusal || status >= 500) return
  const refused = {
    method: request.method,
    path: patternOf(request),
    status,
    code: family.documented?.codeOf(code) ?? code,
    fields: Object.keys(detail.errors ?? {}),
    ip: canonicalAddress(request.ip) ?? 'unknown',
    requestId: request.id,
  }
  whenCredentialKnown(request, (credential) => onRefusal({ credential, ...refused }))
}

const patternOf = ({ routeOptions }: FastifyRequest) => routeOptions.url?.replace(/:(\w+)\([^/]*\)/g, '{$1}') ?? null

function report(request: FastifyRequest, status: number, milliseconds: number, { onResponse }: ServerOptions): void {
  const path = patternOf(request) ?? 'unknown'
  onResponse?.({ method: request.method, path, status, seconds: milliseconds / 1000 })
  // Behind a proxy this is the proxy's text, which may be anything.
  const ip = canonicalAddress(request.ip) ?? 'unknown'
  request.log.info({ method: request.method, path, status, ms: Math.round(milliseconds), ip }, 'request completed')
}
