import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback, isSecret, isWebPage, SECRET_HEADER } from '../../lib/local-caller.ts'

/** Address of a running simulator, and the secret that it requires. */
export interface SimulatorAccess {
  url: string
  /** Secret, new at each start. It grants full control: any caller with it can approve, void and list transactions. */
  secret: string
}

const SECRET_BYTES = 32

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export interface AccessRefusal {
  status: 401 | 403
  error: string
}

/**
 * @param needsSecret `false` for a path that is public on this machine
 * @returns `null` if the caller is allowed
 */
export function refuseCaller(headers: IncomingHttpHeaders, secret: string, needsSecret: boolean): AccessRefusal | null {
  if (!isLoopback(headers)) return { status: 403, error: 'the Host must be 127.0.0.1 or localhost' }
  if (isWebPage(headers)) return { status: 403, error: 'not for web pages' }
  if (!needsSecret || isSecret(headers[SECRET_HEADER], secret)) return null
  return {
    status: 401,
    error: `send the secret of this start as ${SECRET_HEADER}; the service keeps it in simulator.json`,
  }
}
