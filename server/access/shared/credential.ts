import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/errors.ts'

// Functions that secret keys and access tokens share.

const BEARER = /^Bearer +(\S+) *$/i

/** Returns the credential of `Authorization: Bearer …`; `null` if the header is missing or has another scheme. */
export function bearerCredential({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}

/**
 * @param address canonical address; `null` if it could not be read
 * @param advice what the caller can do about it
 */
export function addressNotAllowed(
  address: string | null,
  { advice, headers = {} }: { advice: string; headers?: Record<string, string> },
): ApiError {
  const from = address ?? 'an unreadable address'
  return new ApiError('ip_not_allowed', { message: `Requests from ${from} are not allowed. ${advice}`, headers })
}
