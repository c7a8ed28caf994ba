const PARAMETER = /\{(\w+)\}/g
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const TOKEN = '[A-Za-z0-9_-]{64}'

/** What a parameter looks like; where servers name a session, its id does as well as its token. */
const SHAPES: Record<string, string> = { token: TOKEN, session_token: `(?:${TOKEN}|${UUID})` }

/** A malformed id or token is then an unknown path: 404, before anybody is counted, and without a query. */
const shapeOf = (name: string) => SHAPES[name] ?? UUID

/** `/api/{business_id}/x` as Fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replace(PARAMETER, (_whole, name: string) => `:${name}(^${shapeOf(name)}$)`)
}

/** The same as an expression, to tell which methods a path has. */
export function pathExpression(path: string): RegExp {
  return new RegExp(`^${path.replace(PARAMETER, (_whole, name: string) => shapeOf(name))}$`)
}
