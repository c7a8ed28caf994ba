import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Where a simulator is, and what opens it. */
export interface SimulatorAccess {
  url: string
  /** Made anew at each start. Whoever has it can approve, void and list anything. */
  secret: string
}

/** The header that carries the secret. A web page cannot send it to another origin without asking first. */
export const SECRET_HEADER = 'x-simulator-secret'

const SECRET_BYTES = 32
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export interface AccessRefusal {
  status: 401 | 403
  error: string
}

/**
 * Every local program can reach the port, and every web page that a browser on this machine has open: a page of another
 * name that was resolved to 127.0.0.1 (DNS rebinding) included.
 *
 * @param needsSecret `false` for what may be known to everybody
 */
export function refuseCaller(headers: IncomingHttpHeaders, secret: string, needsSecret: boolean): AccessRefusal | null {
  if (!LOOPBACK.test(headers.host ?? '')) return { status: 403, error: 'the Host must be 127.0.0.1 or localhost' }
  if (isWebPage(headers)) return { status: 403, error: 'not for web pages' }
  if (!needsSecret || isSecret(headers[SECRET_HEADER], secret)) return null
  return {
    status: 401,
    error: `send the secret of this start as ${SECRET_HEADER}; the service keeps it in simulator.json`,
  }
}

/** `none`: typed into the address bar. */
function isWebPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return headers.origin !== undefined || (site !== undefined && site !== 'none')
}

function isSecret(sent: string | string[] | undefined, secret: string): boolean {
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(secret))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
