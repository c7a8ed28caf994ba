import { canonicalUuid } from '../lib/ids.ts'

const PARAMETER = /\{(\w+)\}/g
const HEX = '[0-9a-fA-F]'
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`
const TOKEN = '[A-Za-z0-9_-]{64}'

/** Pattern of each parameter. Servers may name a session by its token or its id. */
export const SHAPES: Record<string, string> = {
  token: TOKEN,
  session_token: `(?:${TOKEN}|${UUID})`,
  ddd_session_id: `ddd_${UUID}`,
  asset: '[A-Za-z0-9_.-]{1,100}',
}

/**
 * Returns the pattern of a parameter. A malformed id or token makes the path unknown: 404, without counting a caller
 * and without a query.
 */
const shapeOf = (name: string) => SHAPES[name] ?? UUID

/** Converts `/api/{business_id}/x` to Fastify's syntax. A `*` at the end matches any path below. */
export function fastifyPath(path: string): string {
  return path.replace(PARAMETER, (_whole, name: string) => `:${name}(^${shapeOf(name)}$)`)
}

/** Converts a path to a regular expression, to find its methods. */
export function pathExpression(path: string): RegExp {
  const shapes = path.replace(PARAMETER, (_whole, name: string) => shapeOf(name))
  return new RegExp(`^${shapes.replace(/\*$/, '.*')}$`)
}

/** Converts the ids of a path to lower case, as they are stored; tokens stay unchanged. */
export function canonicalParams(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    const start = value.startsWith('ddd_') ? 4 : 0
    params[name] = value.slice(0, start) + canonicalUuid(value.slice(start))
  }
}
