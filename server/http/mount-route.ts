import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CARD_NUMBER_IN_TEXT } from '../../contract/card-number-in-text.ts'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import { invalidField } from '../lib/errors.ts'
import { admit, type WithCaller } from './admission.ts'
import { type KnowsOrigin, respondToPreflight } from './browser-origin.ts'
import { refuseCardData } from './card-like-fields.ts'
import { addressForCounting, canonicalAddress } from './client-address.ts'
import { canonicalParams, fastifyPath } from './path-pattern.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Call, Route } from './route.ts'
import { validatorOf } from './schema-validator.ts'
import { refuseMarks, textReader } from './text-fields.ts'

type Check = (value: unknown) => unknown
const asItIs: Check = (value) => value

/** What a listener shares with all its routes. */
export interface MountOptions {
  formOrigin: string
  /** Counts callers of public paths, preflights, and callers without a valid credential, by their address. */
  anonymousLimiter: RateLimiter
  /** See `ServerOptions`. */
  onPageCall?: ((request: FastifyRequest) => void) | undefined
}

export function mountRoute(app: FastifyInstance, route: Route, listener: MountOptions): void {
  const { formOrigin, anonymousLimiter, onPageCall } = listener
  const url = fastifyPath(route.path)
  const checkBody = bodyCheck(route)
  const checkQuery = queryCheck(route)
  const knowsOrigin = knownOrigins(route, formOrigin)
  const isPublic = route.access.name === 'public'
  const perAddress = route.perAddress === undefined && isPublic ? anonymousLimiter : (route.perAddress ?? null)
  const options = { knowsOrigin, formOrigin, anonymousLimiter, perAddress, onPageCall }
  app.route({
    method: route.method,
    url,
    config: { family: route.family },
    ...(route.bodyLimit && { bodyLimit: route.bodyLimit }),
    onRequest: (request, reply) => {
      canonicalParams(request.params as Record<string, string>)
      return admit(route, request, reply, options)
    },
    handler: async (request, reply) => {
      const response = await route.handle(callOf(request, checkBody, checkQuery))
      reply.code(response.status ?? 200).headers({ 'cache-control': 'no-store', ...response.headers })
      return response.body
    },
  })
  if (knowsOrigin) {
    const headers = isPublic ? 'content-type' : 'authorization, content-type'
    app.options(url, { config: { family: route.family } }, async (request, reply) => {
      await anonymousLimiter.consume(addressForCounting(request.ip))
      return respondToPreflight(request, reply, { knowsOrigin, method: route.method, headers })
    })
  }
}

/** Returns the origins that may read the response; `null` for a route without CORS. */
function knownOrigins({ browsers }: Route, formOrigin: string): KnowsOrigin | null {
  if (browsers === 'form') return async ({ headers }) => headers.origin === formOrigin
  return typeof browsers === 'function' ? browsers : null
}

/** Returns the check of a body that was read, as the handler gets it. It throws what the response refuses. */
export function bodyCheck(route: Route): Check {
  const check = cardDataCheck(route)
  if (!route.acceptsForm) return check
  return (body) => {
    refuseMarks(body, 'body')
    return check(body)
  }
}

function cardDataCheck(route: Route): Check {
  const { body: schema, takesCardData, family } = route
  const { textCode } = family.cardDataRules
  const part = route.method === 'PATCH' ? 'change' : 'body'
  const validate = schema ? mayBeAbsent(validatorOf(schema, part, textCode), schema) : textCheck(route)
  if (takesCardData) return validate
  const known = new Set(Object.keys(schema?.properties ?? {}))
  return (body) => {
    refuseCardData(body, known)
    return validate(body)
  }
}

/**
 * Returns the check for routes that take nothing, and for those whose handler validates the body: the document's schema
 * tells which strings are text.
 */
function textCheck({ takesCardData, acceptsReports, document, family }: Route): Check {
  // Only its handler reads a posted form.
  if (takesCardData) return asItIs
  const readTexts = textReader(document?.body)
  return (body) => {
    if (!acceptsReports && body !== undefined && !isObject(body) && !isEmptyList(body))
      throw invalidField('body', 'must be an object')
    return readTexts(body, family.cardDataRules.textCode)
  }
}

const isObject = (body: unknown) => typeof body === 'object' && body !== null && !Array.isArray(body)

/** Whether a body is an empty list, as some languages write an empty map. */
const isEmptyList = (body: unknown) => Array.isArray(body) && body.length === 0

/** Returns the check of a query, as the handler gets it. It throws what the response refuses. */
export function queryCheck({ query: schema, family }: Route): Check {
  const { textCode, queryNames } = family.cardDataRules
  const readTexts = textReader()
  const withoutSchema: Check = queryNames === 'refused' ? (query) => readTexts(query, textCode) : asItIs
  const validate: Check = schema ? validatorOf(schema, 'querystring', textCode) : withoutSchema
  return (query) => {
    refuseMarks(query, 'querystring')
    if (queryNames === 'refused') refuseCardData(query)
    return validate(query)
  }
}

/** Lets a body whose members are all optional be absent. */
function mayBeAbsent(validate: Check, { required = [] }: NonNullable<Route['body']>): Check {
  return required.length > 0 ? validate : (body) => validate(body === undefined ? {} : body)
}

function callOf(request: WithCaller, checkBody: Check, checkQuery: Check): Call<unknown, unknown, unknown> {
  const { origin, 'user-agent': userAgent, 'accept-language': acceptLanguage, accept } = request.headers
  const { 'accept-encoding': acceptEncoding } = request.headers
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
    acceptEncoding: acceptEncoding?.toString() ?? null,
    cookie: request.headers.cookie ?? null,
    idempotencyKey: idempotencyKeyOf(request),
    fetchDestination: request.headers['sec-fetch-dest']?.toString() ?? null,
    requestId: request.id,
    isGone: () => request.raw.socket.destroyed,
  }
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']?.toString() ?? null
  if (key !== null && holdsCardNumber(key)) throw invalidField('Idempotency-Key', CARD_NUMBER_IN_TEXT)
  return key
}
