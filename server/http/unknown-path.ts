import type { FastifyInstance } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { pathExpression } from './path-pattern.ts'
import type { Route } from './route.ts'

/** Unknown path: 404. Known path, other method: 405 with `Allow`. */
export function answerUnknownPaths(app: FastifyInstance, routes: Route[]): void {
  const known = routes.map(({ method, path }) => ({ method, expression: pathExpression(path) }))
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = new Set(known.filter(({ expression }) => expression.test(path)).map(({ method }) => method))
    if (methods.size === 0) throw new ApiError('not_found', { message: 'No such path' })
    reply.header('allow', [...methods].join(', '))
    throw new ApiError('method_not_allowed', { message: `Use ${[...methods].join(' or ')} on this path` })
  })
}
