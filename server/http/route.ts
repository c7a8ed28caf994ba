import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Permission } from '../../contract/permissions.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Family } from './family.ts'
import type { RateLimiter } from './rate-limit.ts'

// A route is data: method, path, who may call it, how often, and what it accepts. The server mounts it, the OpenAPI
// document is printed from it, and a test compares the list with the specification.

/** Who may call. `check` returns the caller or throws the refusal. */
export interface Access<Caller> {
  name: 'public' | 'bearer' | 'secret key' | 'client credentials' | 'session'
  check(request: FastifyRequest): Promise<Caller> | Caller
  /** What the caller's credential may do. An access without it lets nobody on a route that needs a scope. */
  scopesOf?(caller: Caller): ReadonlySet<Scope>
}

/** No credential is checked. */
export const publicAccess: Access<null> = { name: 'public', check: () => null }

export interface Limit<Caller> {
  limiter: RateLimiter
  /** The key that is counted; `null` when the limit does not apply to the caller. */
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
  /** The `Accept` header, unparsed. */
  accept: string | null
  /** The `Accept-Encoding` header, unparsed. */
  acceptEncoding: string | null
  /** The `Cookie` header, unparsed. */
  cookie: string | null
  /** The `Idempotency-Key` header, unparsed. */
  idempotencyKey: string | null
  /** `Sec-Fetch-Dest`: `document`, `iframe`, …; `null` from browsers before 2023. */
  fetchDestination: string | null
  requestId: string
  /** Whether the caller has hung up. */
  isGone(): boolean
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

/** What the OpenAPI document states about a route beyond its method, path, access and schemas. */
export interface RouteDocument {
  /** The operationId, which names the method in generated clients: `createCustomer`. */
  name: string
  /** Its heading in the reference: `Customers`. */
  group: string
  summary: string
  /** Markdown, for details. */
  description?: string
  /** Successful responses, by status. */
  responses: Record<number, { description: string; body: TSchema; example: unknown }>
  /** Refusals of its own. Those of access, limits, path, query and body are added by themselves. */
  refusals?: ErrorCode[]
  /** A body that is valid except for the ids in it; a test sends it. */
  example?: unknown
  /** The body's schema, where the handler checks the body and not the route. */
  body?: TSchema
  /** Request headers that the route reads, with their descriptions. */
  headers?: Record<string, string>
}

/** What a route of the dashboard needs and records. A test goes through all of them. */
export interface DashboardRights {
  permission: Permission
  kind: 'read' | 'preview' | 'write' | 'once' | 'bulk' | 'export'
  /** In the audit log; `null` for what changes nothing. */
  action: string | null
  /** `sometimes`: the call decides. */
  stepUp: 'never' | 'sometimes' | 'always'
}

export interface RouteDefinition<Body extends TSchema, Query extends TSchema, Caller> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the documents write it: `/api/{business_id}/checkout/create`. */
  path: string
  family: Family
  access: Access<Caller>
  /**
   * What a server's credential must be allowed to do; `null`: nothing in particular. Each route of a server says it (a
   * test).
   */
  scope?: Scope | null
  /**
   * Counts callers by their address, before the credential is checked; `null`: nothing is counted. A public path
   * without it is counted by the listener's own limiter.
   */
  perAddress?: RateLimiter | null
  /** In the order of counting: a caller over the first uses up nothing of the others. */
  limits?: Limit<NoInfer<Caller>>[]
  body?: Body
  query?: Query
  /** Set by the payment form's paths. Any other body that contains card data is refused. */
  takesCardData?: boolean
  /** In bytes; 64 KiB by default. */
  bodyLimit?: number
  /**
   * Which pages may call it. `form`: the payment form's. `itself`: a page of the payment form that posts to its own
   * address.
   * `anywhere`: all, because the route is a page or a file itself. A function: those it returns true for. Absent: none.
   */
  browsers?: 'form' | 'itself' | 'anywhere' | ((request: FastifyRequest) => Promise<boolean>)
  /** The body may also come url-encoded. */
  acceptsForm?: boolean
  /** The body may also be a browser's violation report. */
  acceptsReports?: boolean
  /** The route only explains a refusal; `Allow` does not list its method. */
  onlyRefuses?: boolean
  /** Absent for routes that the OpenAPI document does not contain: pages, scripts, probes. */
  document?: RouteDocument
  /** Of a route of the dashboard that is about a business. */
  rights?: DashboardRights
  handle(call: Call<Static<Body>, Static<Query>, Caller>): Promise<Reply> | Reply
}

/** A route in a list, where its own types are lost. */
// biome-ignore lint/suspicious/noExplicitAny: routes of different types share one list.
export type Route = RouteDefinition<any, any, any>

/** Infers the types of body, query and caller from the definition. */
export function route<Body extends TSchema, Query extends TSchema, Caller>(
  definition: RouteDefinition<Body, Query, Caller>,
): Route {
  return definition
}
