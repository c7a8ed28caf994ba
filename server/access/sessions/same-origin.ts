import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/errors.ts'

/**
 * Refuses pages other than the dashboard's. Browsers send `Sec-Fetch-Site`; a request without it must name our origin,
 * unless it only reads.
 *
 * @throws ApiError `origin_not_allowed`
 * @see DSH-11
 */
export function requireSameOrigin({ method, headers }: FastifyRequest, origin: string): void {
  const { 'sec-fetch-site': site, origin: named } = headers
  const isRead = method === 'GET' || method === 'HEAD'
  const isOurs = named === undefined ? site !== undefined || isRead : named === origin
  if (isOurs && (site === undefined || site === 'same-origin')) return
  throw new ApiError('origin_not_allowed', { message: 'Only the dashboard may call this path' })
}
