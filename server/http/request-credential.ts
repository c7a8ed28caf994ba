import type { FastifyRequest } from 'fastify'

/** Whose credential a request carries, as soon as that is known: also when its address is refused. */
export interface RequestCredential {
  businessId: string
  kind: 'api_key' | 'oauth_client'
  /** Of the key or the client. */
  id: string
}

const credentials = new WeakMap<FastifyRequest, RequestCredential>()

export function rememberCredential(request: FastifyRequest, credential: RequestCredential): void {
  credentials.set(request, credential)
}

export const credentialOf = (request: FastifyRequest): RequestCredential | null => credentials.get(request) ?? null
