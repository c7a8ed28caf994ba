import formbody from '@fastify/formbody'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { isMerchantApi, MERCHANT_API_VERSION } from './api-family.ts'
import { rejectBrokenRequest, rememberRequests } from './broken-request.ts'
import { addressForCounting, canonicalAddress } from './client-address.ts'
import { sendRefusal } from './error-response.ts'
import { parseJsonBody } from './json-body.ts'
import { rejectMalformedRequest } from './malformed-request.ts'
import { mountRoute } from './mount-route.ts'
import { noRateLimiters, type RateLimiter, rateLimitHeaders } from './rate-limit.ts'
import { REPORT_MEDIA } from './report-media.ts'
import type { Route } from './route.ts'
import { trustedBy } from './trusted-proxies.ts'
import { decodableUrl, unknownPathRefusal } from './unknown-path.ts'

export const BODY_BYTES_MAX = 65_536
const URL_BYTES_MAX = 2_048
/** As long as a request's head may be: what is longer than an id or a token is an unknown path like any other. */
const PARAMETER_CHARACTERS_MAX = 16_384
/** Whoever opens too many connections does not fill the log too. */
const DROP_SAID_EVERY_MS = 60_000
const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i

/** Session tokens are in URLs, so no URL may travel on; and no page of another origin may load a response. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** How long a connection may take, in milliseconds. */
export interface Timeouts {
  headersMs: number
  /** Headers and body. */
  requestMs: number
  /** Without a byte in either direction; longer than any operation thinks, so it meets only who does not read. */
  idleMs: number
  lookEveryMs: number
}

/** FLT-61. */
export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 20_000, idleMs: 120_000, lookEveryMs: 2_000 }

export interface ReportedRequest {
  method: string
  /** The route's pattern, never the URL: a session token is in that. */
  path: string
  status: number
  seconds: number
}

export interface ServerOptions {
  routes: Route[]
  log: FastifyBaseLogger
  /** Addresses or ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  /** The payment form's origin: the only one that a browser may call `browsers: 'form'` routes from. */
  formOrigin: string
  onResponse?: (request: ReportedRequest) => void
  /** Counts by their address those who call public paths, and paths that do not exist; without it nobody is counted. */
  strangers?: RateLimiter
  /** Before a path or a method that does not exist is refused: what else its response says. */
  onUnknownPath?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Pages for people response a refusal with a page; without it, with the envelope of the API family. */
  renderRefusal?: RenderRefusal
  timeouts?: Timeouts
  /** Connections that may be open at once; a further one is closed as it comes. Without it, as many as the system allows. */
  maxConnections?: number
}

export type RenderRefusal = (refusal: ApiError, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * A listener with its routes. The order of checks is that of API-5: path, credential, address, rate, body syntax, body
 * schema; existence and state are the operation's.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { timeouts = TIMEOUTS, strangers = UNCOUNTED } = options
  const refuseUnknownPath = unknownPathRefusal(options.routes)
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    // A line of Fastify's has the URL, and a session token is in that.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    trustProxy: options.trustedProxies.length > 0 ? trustedBy(options.trustedProxies) : false,
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAMETER_CHARACTERS_MAX, caseSensitive: true },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: 5_000,
    maxRequestsPerSocket: 10_000,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.lookEveryMs,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    frameworkErrors: (error, request, reply) => {
      // No hook runs here: neither a URL that cannot be decoded nor a long parameter comes this far.
      reply.headers(headersOf(request))
      sendRefusal(malformationOf(request) ?? error, request, reply)
    },
    clientErrorHandler: rejectBrokenRequest,
  })
  rememberRequests(app.server)
  limitConnections(app, options)
  readBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request))
    rejectMalformedRequest(request.raw, URL_BYTES_MAX)
    try {
      refuseUnknownPath(request, reply)
    } catch (refusal) {
      await strangers.consume(addressForCounting(request.ip))
      await options.onUnknownPath?.(request, reply)
      throw refusal
    }
  })
  app.addHook('onResponse', async (request, reply) => report(request, reply.statusCode, reply.elapsedTime, options))
  app.setErrorHandler(async (error, request, reply) => {
    const isCounted = !isMerchantApi(request.url) || reply.hasHeader('ratelimit-limit') || hasRate(error)
    const refusal = isCounted ? error : await countedRefusal(error, request, reply, strangers)
    return sendRefusal(refusal, request, reply, options.renderRefusal)
  })
  for (const route of options.routes) mountRoute(app, route, { formOrigin: options.formOrigin, strangers })
  return app
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

/** What is refused before anybody could be counted is counted for the address, and the response says what is left of that. */
async function countedRefusal(
  error: unknown,
  { ip }: FastifyRequest,
  reply: FastifyReply,
  strangers: RateLimiter,
): Promise<unknown> {
  try {
    reply.headers(rateLimitHeaders(await strangers.consume(addressForCounting(ip))))
    return error
  } catch (tooMany) {
    return tooMany
  }
}

function headersOf({ id, url }: FastifyRequest): Record<string, string> {
  return { 'request-id': id, ...HEADERS, ...(isMerchantApi(url) && { 'api-version': MERCHANT_API_VERSION }) }
}

/** Each connection costs memory and a file handle: the process must not run out of those that the database needs. */
function limitConnections({ server }: FastifyInstance, { maxConnections, log }: ServerOptions): void {
  if (maxConnections === undefined) return
  server.maxConnections = maxConnections
  let saidAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - saidAt < DROP_SAID_EVERY_MS) return
    saidAt = performance.now()
    log.warn({ maxConnections }, 'connections are refused: MAX_CONNECTIONS are open')
  })
}

/** JSON in UTF-8, and url-encoded forms and browsers' reports where a route takes them; everything else is 415. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const media of [JSON_IN_UTF8, REPORT_MEDIA]) {
    app.addContentTypeParser(media, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
      parseJsonBody(body),
    )
  }
  app.register(formbody, { bodyLimit: BODY_BYTES_MAX })
}

function report(request: FastifyRequest, status: number, milliseconds: number, { onResponse }: ServerOptions): void {
  const path = request.routeOptions.url?.replace(/:(\w+)\([^/]*\)/g, '{$1}') ?? 'unknown'
  onResponse?.({ method: request.method, path, status, seconds: milliseconds / 1000 })
  // Behind a proxy it is what the proxy wrote, which may be anything.
  const ip = canonicalAddress(request.ip) ?? 'unknown'
  request.log.info({ method: request.method, path, status, ms: Math.round(milliseconds), ip }, 'answered')
}
