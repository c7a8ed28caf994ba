import { parseJsonBody } from '../../server/http/json-body.ts'
import { bodyCheck, queryCheck } from '../../server/http/mount-route.ts'
import { pathExpression } from '../../server/http/path-pattern.ts'
import type { Route } from '../../server/http/route.ts'
import { ApiError } from '../../server/lib/errors.ts'

// What a listener does with a body and a query before the handler, without the request around them: for tests of more
// texts than requests are needed for.

type Read = (text: string) => unknown

const readers = new WeakMap<Route, { body: Read; query: Read }>()

function readerOf(route: Route) {
  const known = readers.get(route)
  if (known) return known
  const [checkBody, checkQuery] = [bodyCheck(route), queryCheck(route)]
  const made = {
    body: (text: string) => checkBody(parseJsonBody(Buffer.from(text))),
    query: (text: string) => checkQuery(Object.fromEntries(new URLSearchParams(text))),
  }
  readers.set(route, made)
  return made
}

/** Returns the refusal of a body; `null` if the handler gets it. @throws what the server would call a defect */
export const bodyRefusal = (route: Route, text: string): ApiError | null => refusalOf(() => readerOf(route).body(text))

/** Returns the refusal of a query, without its question mark; `null` if the handler gets it. */
export const queryRefusal = (route: Route, text: string): ApiError | null =>
  refusalOf(() => readerOf(route).query(text))

/** Returns the route that a URL belongs to. */
export function mountedRoute(routes: readonly Route[], method: string, url: string): Route {
  const { pathname } = new URL(url)
  const found = routes.find((route) => route.method === method && pathExpression(route.path).test(pathname))
  if (!found) throw new Error(`No route takes ${method} ${pathname}`)
  return found
}

/** @throws what is not a refusal */
export function refusalOf(run: () => unknown): ApiError | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Returns the body of the response that refuses. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads responses of any shape.
export function refusedBody({ family, path }: Route, refusal: ApiError): any {
  return family.envelope(refusal, { id: 'no-request', url: path, headers: {} }).body
}
