import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { pathExpression } from './path-pattern.ts'
import type { Route } from './route.ts'

/** Turns a path that cannot be decoded into an unknown path. The router's own error would bypass rate limits. */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  return isDecodable(path) ? url : [path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the refusal: 404 for an unknown path, 405 with `Allow` for another method of a known one. Call it before the
 * body is read, because the path is checked first: a broken body on an unknown path gets 404.
 *
 * @throws ApiError always, for a request that no route takes
 */
export function unknownPathRefusal(
  routes: Route[],
  isElsewhere: (path: string, host: string) => boolean = () => false,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const known = routes
    .filter(({ onlyRefuses }) => !onlyRefuses)
    .map(({ method, path }) => ({ method, expression: pathExpression(path) }))
  return (request, reply) => {
    const path = pathOf(request)
    if (isElsewhere(path, request.host)) throw noSuchPath()
    if (isRouted(request)) return
    const methods = new Set(known.filter(({ expression }) => expression.test(path)).flatMap(methodsOf))
    if (methods.size === 0) throw noSuchPath()
    reply.header('allow', [...methods].join(', '))
    throw new ApiError('method_not_allowed', { message: `Use ${[...methods].join(' or ')} on this path` })
  }
}

const noSuchPath = () => new ApiError('not_found', { message: 'No such path. Ids in a path are UUIDs' })

/**
 * Whether a route takes the request. No path needs encoding: an encoded letter is an attempt to bypass a proxy's rule.
 */
export const isRouted = (request: FastifyRequest): boolean => !request.is404 && !pathOf(request).includes('%')

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''

/** Returns the methods of a route. Every GET route also responds to HEAD. */
const methodsOf = ({ method }: Pick<Route, 'method'>) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
