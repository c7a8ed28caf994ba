import type { FastifyRequest } from 'fastify'

/** The credential of a request, recorded as soon as it is known, even if its address is refused. */
export interface RequestCredential {
  businessId: string
  kind: 'api_key' | 'oauth_client'
  /** Id of the key or the client. */
  id: string
}

const credentials = new WeakMap<FastifyRequest, RequestCredential>()

const waiting = new WeakMap<FastifyRequest, (credential: RequestCredential) => void>()

export function rememberCredential(request: FastifyRequest, credential: RequestCredential): void {
  credentials.set(request, credential)
  waiting.get(request)?.(credential)
  waiting.delete(request)
}

/** Calls `use` with the credential of a request: now, or when it is looked up after the request was refused. */
export function whenCredentialKnown(request: FastifyRequest, use: (credential: RequestCredential) => void): void {
  const known = credentials.get(request)
  if (known) use(known)
  else waiting.set(request, use)
}
