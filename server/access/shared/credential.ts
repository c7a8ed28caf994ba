import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/errors.ts'

// What secret keys and access tokens have in common.

const BEARER = /^Bearer +(\S+) *$/i

/** The credential of `Authorization: Bearer …`; `null` when the header is missing or of another scheme. */
export function bearerCredential({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}

/**
 * @param address canonical; `null` when it could not be read
 * @param advice what the caller can do about it
 */
export function addressNotAllowed(
  address: string | null,
  { advice, headers = {} }: { advice: string; headers?: Record<string, string> },
): ApiError {
  const from = address ?? 'an unreadable address'
  return new ApiError('ip_not_allowed', { message: `Requests from ${from} are not allowed. ${advice}`, headers })
}
