import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Permission } from '../../contract/permissions.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Family } from './family.ts'
import type { RateLimiter } from './rate-limit.ts'

// A route is data: method, path, who may call it, how often, and what it accepts. The server mounts it, the OpenAPI
// document is printed from it, and a test compares the list with the specification.

/** Access to a route. `check` returns the caller or throws the refusal. */
export interface Access<Caller> {
  name: 'public' | 'bearer' | 'secret key' | 'client credentials' | 'session'
  check(request: FastifyRequest): Promise<Caller> | Caller
  /**
   * Returns what the caller's credential may do. An access without it admits nobody to a route that requires a scope.
   */
  scopesOf?(caller: Caller): ReadonlySet<Scope>
}

/** Access for which no credential is checked. */
export const publicAccess: Access<null> = { name: 'public', check: () => null }

export interface Limit<Caller> {
  limiter: RateLimiter
  /** Returns the key that is counted; `null` if the limit does not apply to the caller. */
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
  /** Heading in the reference, such as `Customers`. */
  group: string
  summary: string
  /** Markdown, for details. */
  description?: string
  /** Successful responses, by status. */
  responses: Record<number, { description: string; body: TSchema; example: unknown }>
  /** Refusals specific to the route. Those of access, limits, path, query and body are added automatically. */
  refusals?: ErrorCode[]
  /** A body that is valid except for the ids in it; a test sends it. */
  example?: unknown
  /** Schema of the body, if the handler validates it in place of the route. */
  body?: TSchema
  /** Request headers that the route reads, with their descriptions. */
  headers?: Record<string, string>
}

/** What a route of the dashboard needs and records. A test goes through all of them. */
export interface DashboardRights {
  permission: Permission
  kind: 'read' | 'preview' | 'write' | 'once' | 'bulk' | 'export'
  /** Action in the audit log; `null` for what changes nothing. */
  action: string | null
  /** `sometimes` means that the call decides. */
  stepUp: 'never' | 'sometimes' | 'always'
}

export interface RouteDefinition<Body extends TSchema, Query extends TSchema, Caller> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path as the documents write it, such as `/api/{business_id}/checkout/create`. */
  path: string
  family: Family
  access: Access<Caller>
  /**
   * Scope that a server's credential needs; `null` for none in particular. Every route for servers states it, which a
   * test checks.
   */
  scope?: Scope | null
  /**
   * Counts callers by their address, before the credential is checked; `null` counts nothing. Without it, the
   * listener's own limiter counts a public path.
   */
  perAddress?: RateLimiter | null
  /** Limits in the order of counting: a caller over the first uses up nothing of the others. */
  limits?: Limit<NoInfer<Caller>>[]
  body?: Body
  query?: Query
  /** Set for the payment form's paths. Any other body that contains card data is refused. */
  takesCardData?: boolean
  /** Largest body in bytes; 64 KiB by default. */
  bodyLimit?: number
  /**
   * Pages that may call the route. `form`: the payment form's. `itself`: a page of the payment form that posts to its
   * own address. `anywhere`: all, because the route is a page or a file itself. A function: those it returns `true`
   * for. Absent: none.
   */
  browsers?: 'form' | 'itself' | 'anywhere' | ((request: FastifyRequest) => Promise<boolean>)
  /** Whether the body may also be url-encoded. */
  acceptsForm?: boolean
  /** Whether the body may also be a browser's violation report. */
  acceptsReports?: boolean
  /** Whether the route only explains a refusal; `Allow` does not list its method. */
  onlyRefuses?: boolean
  /** Absent for routes that the OpenAPI document does not contain: pages, scripts, probes. */
  document?: RouteDocument
  /** Set for a route of the dashboard that is about a business. */
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
