const PARAMETER = /\{(\w+)\}/g
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const TOKEN = '[A-Za-z0-9_-]{1,100}'

/** What a parameter looks like. A malformed id is then an unknown path: 404, and it costs no query. */
const shapeOf = (name: string) => (name.endsWith('token') ? TOKEN : UUID)

/** The spec's `/api/{business_id}/x` as Fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replace(PARAMETER, (_whole, name: string) => `:${name}(^${shapeOf(name)}$)`)
}

/** The same as an expression, to tell which methods a path has. */
export function pathExpression(path: string): RegExp {
  return new RegExp(`^${path.replace(PARAMETER, (_whole, name: string) => shapeOf(name))}$`)
}
