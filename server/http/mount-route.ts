import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { allowOrigin, answerPreflight, type KnowsOrigin, refuseBrowsers } from './browser-origin.ts'
import { refuseCardData } from './card-like-fields.ts'
import { canonicalAddress } from './client-address.ts'
import { fastifyPath } from './path-pattern.ts'
import { REPORT_MEDIA } from './report-media.ts'
import type { Call, Route } from './route.ts'
import { validatorOf } from './schema-validator.ts'

type WithCaller = FastifyRequest & { caller?: unknown }
type Check = (value: unknown) => unknown
const asItIs: Check = (value) => value

export function mountRoute(app: FastifyInstance, route: Route, formOrigin: string): void {
  const url = fastifyPath(route.path)
  const checkBody = bodyCheck(route)
  const knows = knownOrigins(route, formOrigin)
  const checkQuery = route.query ? validatorOf(route.query, 'querystring') : asItIs
  app.route({
    method: route.method,
    url,
    ...(route.bodyLimit && { bodyLimit: route.bodyLimit }),
    onRequest: (request, reply) => admit(route, request, reply, knows),
    handler: async (request, reply) => {
      const answer = await route.handle(callOf(request, checkBody, checkQuery))
      reply.code(answer.status ?? 200).headers({ 'cache-control': 'no-store', ...answer.headers })
      return answer.body
    },
  })
  if (knows) {
    const headers = route.access.name === 'public' ? 'content-type' : 'authorization, content-type'
    app.options(url, (request, reply) => answerPreflight(request, reply, { knows, method: route.method, headers }))
  }
}

/** `null` for a route without CORS. */
function knownOrigins({ browsers }: Route, formOrigin: string): KnowsOrigin | null {
  if (browsers === 'form') return async ({ headers }) => headers.origin === formOrigin
  return typeof browsers === 'function' ? browsers : null
}

function bodyCheck({ body: schema, takesCardData }: Route): Check {
  const validate = schema ? mayBeAbsent(validatorOf(schema), schema) : asItIs
  if (takesCardData) return validate
  const known = new Set(Object.keys(schema?.properties ?? {}))
  return (body) => {
    refuseCardData(body, known)
    return validate(body)
  }
}

/** A body of which every member is optional may be left out as a whole. */
function mayBeAbsent(validate: Check, { required = [] }: NonNullable<Route['body']>): Check {
  return required.length > 0 ? validate : (body) => validate(body === undefined ? {} : body)
}

/** Everything that is decided before the body is read. */
async function admit(route: Route, request: WithCaller, reply: FastifyReply, knows: KnowsOrigin | null): Promise<void> {
  if (knows) await allowOrigin(request, reply, knows)
  else if (route.browsers === undefined) refuseBrowsers(request)
  request.caller = await route.access.check(request)
  for (const { limiter, key } of route.limits ?? []) {
    const { limit, remaining, resetSeconds } = await limiter.consume(key(request, request.caller))
    reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds })
  }
  refuseOtherMedia(route, request)
}

function refuseOtherMedia({ acceptsForm = false, acceptsReports = false }: Route, { headers }: FastifyRequest): void {
  const media = headers['content-type']?.toLowerCase() ?? ''
  const isForm = media.startsWith('application/x-www-form-urlencoded')
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
  if (isEncoded || (isForm && !acceptsForm) || (REPORT_MEDIA.test(media) && !acceptsReports)) {
    throw new ApiError('unsupported_media_type', { message: 'Send application/json in UTF-8, not compressed' })
  }
}

function callOf(request: WithCaller, checkBody: Check, checkQuery: Check): Call<unknown, unknown, unknown> {
  const { origin, 'user-agent': userAgent, 'accept-language': acceptLanguage } = request.headers
  return {
    params: request.params as Record<string, string>,
    query: checkQuery(request.query),
    body: checkBody(request.body),
    caller: request.caller,
    ip: canonicalAddress(request.ip) ?? 'unknown',
    userAgent: userAgent?.slice(0, 500) ?? null,
    origin: origin ?? null,
    acceptLanguage: acceptLanguage ?? null,
    idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
    requestId: request.id,
  }
}
