import formbody from '@fastify/formbody'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { sendRefusal } from './error-response.ts'
import { parseJsonBody } from './json-body.ts'
import { rejectMalformedRequest } from './malformed-request.ts'
import { mountRoute } from './mount-route.ts'
import type { Route } from './route.ts'
import { answerUnknownPaths } from './unknown-path.ts'

export const BODY_BYTES_MAX = 65_536
const URL_BYTES_MAX = 2_048
/** Of a path parameter: a session token has 64. */
const PARAMETER_CHARACTERS_MAX = 100
const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i

export interface AnsweredRequest {
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
  onAnswered?: (request: AnsweredRequest) => void
  /** Pages for people answer a refusal with a page; without it, with the envelope of the API family. */
  renderRefusal?: RenderRefusal
}

export type RenderRefusal = (refusal: ApiError, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * A listener with its routes. The order of checks is that of contract 1: path, credential, address, rate, body syntax, body
 * schema; existence and state are the operation's.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    disableRequestLogging: true,
    genReqId: () => newId(),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAMETER_CHARACTERS_MAX, caseSensitive: true },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: 20_000,
    keepAliveTimeout: 5_000,
    maxRequestsPerSocket: 10_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: true,
    },
    frameworkErrors: (error, request, reply) => void sendRefusal(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
  })
  readBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': request.id, 'x-content-type-options': 'nosniff' })
    rejectMalformedRequest(request.raw, URL_BYTES_MAX)
  })
  app.addHook('onResponse', async (request, reply) => report(request, reply.statusCode, reply.elapsedTime, options))
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, options.renderRefusal))
  answerUnknownPaths(app, options.routes)
  for (const route of options.routes) mountRoute(app, route, options.formOrigin)
  return app
}

/** JSON in UTF-8, and url-encoded forms where a route takes them; everything else is 415. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_IN_UTF8, { parseAs: 'string' }, async (_request: unknown, text: string | Buffer) =>
    parseJsonBody(String(text)),
  )
  app.register(formbody, { bodyLimit: BODY_BYTES_MAX })
}

function report(request: FastifyRequest, status: number, milliseconds: number, { onAnswered }: ServerOptions): void {
  const path = request.routeOptions.url?.replace(/:(\w+)\([^/]*\)/g, '{$1}') ?? 'unknown'
  onAnswered?.({ method: request.method, path, status, seconds: milliseconds / 1000 })
  request.log.info({ method: request.method, path, status, ms: Math.round(milliseconds), ip: request.ip }, 'answered')
}
