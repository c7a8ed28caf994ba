import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { pathExpression } from './path-pattern.ts'
import type { Route } from './route.ts'

/** A path that cannot be decoded is an unknown one, not an error of the router, in which nobody would be counted. */
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
 * Unknown path: 404. Known path, other method: 405 with `Allow`. To be asked before the body is read: the path is the first
 * of all checks, so that a broken body on a path that does not exist is told of the path.
 *
 * @throws ApiError always, for a request that no route takes
 */
export function unknownPathRefusal(routes: Route[]): (request: FastifyRequest, reply: FastifyReply) => void {
  const known = routes
    .filter(({ onlyRefuses }) => !onlyRefuses)
    .map(({ method, path }) => ({ method, expression: pathExpression(path) }))
  return (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    // No path of ours has anything to encode: who encodes a letter means to get past a rule of somebody's.
    if (!request.is404 && !path.includes('%')) return
    const methods = new Set(known.filter(({ expression }) => expression.test(path)).flatMap(methodsOf))
    if (methods.size === 0) throw new ApiError('not_found', { message: 'No such path' })
    reply.header('allow', [...methods].join(', '))
    throw new ApiError('method_not_allowed', { message: `Use ${[...methods].join(' or ')} on this path` })
  }
}

/** Whatever can be got can be asked for without its body. */
const methodsOf = ({ method }: Pick<Route, 'method'>) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
