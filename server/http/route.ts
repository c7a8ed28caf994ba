import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../lib/errors.ts'
import type { Family } from './family.ts'
import type { RateLimiter } from './rate-limit.ts'

// A route is data: method, path, who may call, how often, what comes in. The server mounts it, documents are printed from
// it, and a test compares the list with the OpenAPI document.

/** Who may call. `check` throws the refusal, or says who it is. */
export interface Access<Caller> {
  name: 'public' | 'bearer' | 'secret key' | 'client credentials'
  check(request: FastifyRequest): Promise<Caller> | Caller
}

/** Nobody is asked who they are. */
export const everybody: Access<null> = { name: 'public', check: () => null }

export interface Limit<Caller> {
  limiter: RateLimiter
  /** Who is counted; `null` for callers whom this limit does not concern. */
  key(request: FastifyRequest, caller: Caller): string | null
}

export interface Call<Body, Query, Caller> {
  params: Record<string, string>
  body: Body
  query: Query
  caller: Caller
  /** Canonical text of the caller's address, after trusted proxies. */
  ip: string
  userAgent: string | null
  origin: string | null
  acceptLanguage: string | null
  /** `Accept`, as it came. */
  accept: string | null
  /** The header as it came, if it came. */
  idempotencyKey: string | null
  requestId: string
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** What the printed documents say of a route beyond its method, path, access and schemas. */
export interface RouteDocument {
  /** `createCustomer`: what generated clients call it. */
  name: string
  /** The heading that it stands under: "Customers". */
  group: string
  summary: string
  /** Markdown, for what the summary leaves open. */
  description?: string
  /** The successes, by status. */
  responses: Record<number, { description: string; body: TSchema; example: unknown }>
  /** Refusals of its own, beside those that access, limits, path, query and body bring by themselves. */
  refusals?: ErrorCode[]
  /** A body that works as it stands, but for the ids in it: a test sends it. */
  example?: unknown
  /** The body's schema, where the handler checks the body and not the route. */
  body?: TSchema
  /** Headers of the request that mean something here, with what they mean. */
  headers?: Record<string, string>
}

export interface RouteDefinition<Body extends TSchema, Query extends TSchema, Caller> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the documents write it: `/api/{business_id}/checkout/create`. */
  path: string
  family: Family
  access: Access<Caller>
  /**
   * Counts callers by their address, before they are asked who they are; `null`: nobody is counted. Public paths without it
   * are counted by the listener's own limiter.
   */
  perAddress?: RateLimiter | null
  /** In the order in which they are counted: who is over the first uses up nothing of the others. */
  limits?: Limit<NoInfer<Caller>>[]
  body?: Body
  query?: Query
  /** The payment form only: any other body with card data in it is refused. */
  takesCardData?: boolean
  /** Bytes; 64 KiB unless said. */
  bodyLimit?: number
  /**
   * Which pages may call it. `form`: those of the payment form. `itself`: a page of the payment form, posting to its own
   * address. `anywhere`: it is a page itself. A function: those of an origin it knows. Without it: servers only.
   */
  browsers?: 'form' | 'itself' | 'anywhere' | ((request: FastifyRequest) => Promise<boolean>)
  /** The body may also come url-encoded. */
  acceptsForm?: boolean
  /** The body may also be a browser's violation report. */
  acceptsReports?: boolean
  /** It is there only to say why there is no such thing: `Allow` does not name it. */
  onlyRefuses?: boolean
  /** Without it, the route is not part of the printed documents: pages, scripts, health. */
  document?: RouteDocument
  handle(call: Call<Static<Body>, Static<Query>, Caller>): Promise<Reply> | Reply
}

/** A mounted route has forgotten its types. */
// biome-ignore lint/suspicious/noExplicitAny: the types of one route mean nothing to the list of all.
export type Route = RouteDefinition<any, any, any>

/** Keeps the types of body, query and caller together while a route is written. */
export function route<Body extends TSchema, Query extends TSchema, Caller>(
  definition: RouteDefinition<Body, Query, Caller>,
): Route {
  return definition
}
