import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CARD_NUMBER_IN_TEXT } from '../../contract/card-number-in-text.ts'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import {
  allowOrigin,
  type KnowsOrigin,
  refuseBrowsers,
  refuseForeignPages,
  respondToPreflight,
} from './browser-origin.ts'
import { refuseCardData } from './card-like-fields.ts'
import { addressForCounting, canonicalAddress } from './client-address.ts'
import { fastifyPath } from './path-pattern.ts'
import { type RateLimiter, type RateLimitState, rateLimitHeaders, tighter } from './rate-limit.ts'
import { REPORT_MEDIA } from './report-media.ts'
import type { Call, Route } from './route.ts'
import { validatorOf } from './schema-validator.ts'
import { textReader } from './text-fields.ts'

type WithCaller = FastifyRequest & { caller?: unknown }
type Check = (value: unknown) => unknown
const asItIs: Check = (value) => value

/** What a listener says of all its routes. */
export interface MountOptions {
  formOrigin: string
  /** Counts the callers of public paths, and preflights, by their address. */
  strangers: RateLimiter
}

export function mountRoute(app: FastifyInstance, route: Route, { formOrigin, strangers }: MountOptions): void {
  const url = fastifyPath(route.path)
  const checkBody = bodyCheck(route)
  const knows = knownOrigins(route, formOrigin)
  const checkQuery = queryCheck(route)
  const perAddress = route.perAddress === undefined && route.access.name === 'public' ? strangers : route.perAddress
  app.route({
    method: route.method,
    url,
    ...(route.bodyLimit && { bodyLimit: route.bodyLimit }),
    onRequest: (request, reply) => admit(route, request, reply, { knows, formOrigin, strangers, perAddress }),
    handler: async (request, reply) => {
      const response = await route.handle(callOf(request, checkBody, checkQuery))
      reply.code(response.status ?? 200).headers({ 'cache-control': 'no-store', ...response.headers })
      return response.body
    },
  })
  if (knows) {
    const headers = route.access.name === 'public' ? 'content-type' : 'authorization, content-type'
    app.options(url, async (request, reply) => {
      await strangers.consume(addressForCounting(request.ip))
      return respondToPreflight(request, reply, { knows, method: route.method, headers })
    })
  }
}

/** `null` for a route without CORS. */
function knownOrigins({ browsers }: Route, formOrigin: string): KnowsOrigin | null {
  if (browsers === 'form') return async ({ headers }) => headers.origin === formOrigin
  return typeof browsers === 'function' ? browsers : null
}

function bodyCheck(route: Route): Check {
  const { body: schema, takesCardData } = route
  const validate = schema ? mayBeAbsent(validatorOf(schema, 'body', cardNumberCode(route)), schema) : textCheck(route)
  if (takesCardData) return validate
  const known = new Set(Object.keys(schema?.properties ?? {}))
  return (body) => {
    refuseCardData(body, known)
    return validate(body)
  }
}

/** Where the handler checks the body by a schema of its own, that one also says what is text; a posted form is read by it alone. */
function textCheck(route: Route): Check {
  if (route.takesCardData) return asItIs
  const readTexts = textReader(route.document?.body)
  return (body) => readTexts(body, cardNumberCode(route))
}

/** Nobody is sent to the merchant API by a link: a name of card data in its query is a card that was sent to it. */
function queryCheck(route: Route): Check {
  const { query: schema, access } = route
  const validate: Check = schema ? validatorOf(schema, 'querystring', cardNumberCode(route)) : asItIs
  if (access.name !== 'secret key') return validate
  return (query) => {
    refuseCardData(query)
    return validate(query)
  }
}

/** A payer is told of a wrong field; a merchant's server, that it must not handle cards. */
const cardNumberCode = ({ access }: Route) =>
  access.name === 'public' ? 'validation_failed' : 'raw_card_data_not_supported'

/** A body of which every member is optional may be left out as a whole. */
function mayBeAbsent(validate: Check, { required = [] }: NonNullable<Route['body']>): Check {
  return required.length > 0 ? validate : (body) => validate(body === undefined ? {} : body)
}

/** Everything that is decided before the body is read. */
async function admit(
  route: Route,
  request: WithCaller,
  reply: FastifyReply,
  { knows, formOrigin, strangers, perAddress }: Admission,
): Promise<void> {
  const { browsers, method, access } = route
  if (knows && browsers === 'form') await allowOrigin(request, reply, knows)
  if (browsers === undefined) refuseBrowsers(request, { mayNameOrigin: access.name !== 'secret key' })
  const toItself = browsers === 'itself'
  if (toItself || (browsers === 'form' && method !== 'GET')) refuseForeignPages(request, { formOrigin, toItself })
  const first = perAddress ? await perAddress.consume(addressForCounting(request.ip)) : null
  await identify(route, request, reply, { knows, strangers })
  const tightest = await count(route, request, first)
  if (tightest) reply.headers(rateLimitHeaders(tightest))
  refuseOtherMedia(route, request)
}

/** Origins of merchants are looked up only for callers who are good for it, or who are counted as strangers. */
async function identify(
  { access, browsers }: Route,
  request: WithCaller,
  reply: FastifyReply,
  { knows, strangers }: Pick<Admission, 'knows' | 'strangers'>,
): Promise<void> {
  const merchants = typeof browsers === 'function' ? knows : null
  try {
    request.caller = await access.check(request)
  } catch (refusal) {
    // Whoever calls a public path is counted already.
    if (access.name !== 'public') await strangers.consume(addressForCounting(request.ip))
    if (merchants) await allowOrigin(request, reply, merchants)
    throw refusal
  }
  if (merchants) await allowOrigin(request, reply, merchants)
}

interface Admission {
  knows: KnowsOrigin | null
  formOrigin: string
  strangers: RateLimiter
  perAddress: RateLimiter | null | undefined
}

/** @returns what is left of the limit that is nearest; `null` where a path has none of its own */
async function count(
  { limits = [] }: Route,
  request: WithCaller,
  first: RateLimitState | null,
): Promise<RateLimitState | null> {
  const counted = limits.flatMap(({ limiter, key }) => {
    const caller = key(request, request.caller)
    return caller === null ? [] : [{ limiter, caller }]
  })
  // Whoever is over one of them anyway uses up nothing of the others.
  for (const { limiter, caller } of counted) limiter.refuseOver(caller)
  let tightest = counted.length > 0 ? first : null
  for (const { limiter, caller } of counted) tightest = tighter(tightest, await limiter.consume(caller))
  return tightest
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
  const { origin, 'user-agent': userAgent, 'accept-language': acceptLanguage, accept } = request.headers
  return {
    params: request.params as Record<string, string>,
    query: checkQuery(request.query),
    body: checkBody(request.body),
    caller: request.caller,
    ip: canonicalAddress(request.ip) ?? 'unknown',
    userAgent: userAgent === undefined || holdsCardNumber(userAgent) ? null : userAgent.slice(0, 500),
    origin: origin ?? null,
    acceptLanguage: acceptLanguage ?? null,
    accept: accept ?? null,
    idempotencyKey: idempotencyKeyOf(request),
    requestId: request.id,
  }
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']?.toString() ?? null
  if (key !== null && holdsCardNumber(key)) throw invalidField('Idempotency-Key', CARD_NUMBER_IN_TEXT)
  return key
}
