import type { FastifyRequest } from 'fastify'

const BEARER = /^Bearer +(\S+) *$/i

/** What `Authorization: Bearer …` carries; `null` when the header is missing or of another scheme. */
export function bearerCredential({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}
