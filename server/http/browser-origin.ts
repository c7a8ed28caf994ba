import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/errors.ts'

/**
 * Browsers tell where a page comes from; servers do not (Node's own fetch sends `Sec-Fetch-Mode`, but no site). A page has
 * no business on a server-only path.
 *
 * @throws ApiError `origin_not_allowed`
 */
export function refuseBrowsers(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'none') {
    throw new ApiError('origin_not_allowed', { message: 'Call this path from your server, not from a page' })
  }
}

/** CORS for one origin. Another one gets no header, and its browser keeps the answer from it. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  reply.header('vary', 'origin')
  if (request.headers.origin === origin) {
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'retry-after, request-id')
  }
}

export function answerPreflight(request: FastifyRequest, reply: FastifyReply, origin: string, method: string) {
  allowOrigin(request, reply, origin)
  reply.headers({
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
  })
  return reply.code(204).send()
}
