import type { TSchema } from 'typebox'
import { type Response, send } from './merchant.ts'
import { sampleOf } from './schema-fields.ts'

/** A path with a request body, and a body that it accepts. */
export interface BodyRoute {
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  schema: TSchema
  /** All fields of the schema, as far as they may be sent together. */
  body: Record<string, unknown>
  /** URL of the request. A refused request does not change the object behind it. */
  url: string
  headers: Record<string, string>
  /** The status of a good body. */
  okStatus: number
  /** What a request without a body does: one that `acts` is not sent by tests that must not write. */
  emptyBody: 'refused' | 'accepted' | 'acts'
  send(body: string, headers?: Record<string, string>): Promise<Response>
  /** Returns the same route with a new object, if a good request uses the object up. */
  fresh(): Promise<BodyRoute>
}

export interface RouteGiven {
  name: string
  schema: TSchema
  /** Members that differ from the samples of the schema; `undefined` omits one. */
  given: Record<string, unknown>
  url: string
  credentials?: Record<string, string>
  method?: BodyRoute['method']
  okStatus?: number
  emptyBody?: BodyRoute['emptyBody']
  fresh?: () => Promise<BodyRoute>
}

export function routeOf({
  name,
  schema,
  given,
  url,
  credentials = {},
  method = 'POST',
  okStatus = 200,
  emptyBody = 'refused',
  fresh,
}: RouteGiven): BodyRoute {
  const headers = { 'content-type': 'application/json', ...credentials }
  const body = { ...(sampleOf(schema) as object), ...given }
  for (const [key, value] of Object.entries(given))
    if (value === undefined) delete (body as Record<string, unknown>)[key]
  const route: BodyRoute = {
    name,
    method,
    schema,
    body,
    url,
    headers,
    okStatus,
    emptyBody,
    send: (text, more) => send(url, { method, headers: { ...headers, ...more }, body: text }),
    fresh: fresh ?? (async () => route),
  }
  return route
}
