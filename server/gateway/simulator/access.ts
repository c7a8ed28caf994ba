import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The address of a running simulator and the secret that it requires. */
export interface SimulatorAccess {
  url: string
  /** New at each start. Grants full control: any caller with it can approve, void and list transactions. */
  secret: string
}

/** A custom header, so that a web page cannot send it to another origin without a CORS preflight. */
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
 * Every local program can reach the port, and so can every web page open in a browser on this machine, including a page
 * whose name resolves to 127.0.0.1 (DNS rebinding).
 *
 * @param needsSecret `false` for a path that is public on this machine
 * @returns `null` when the caller is allowed
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

/** `Sec-Fetch-Site: none` is a URL typed into the address bar. */
function isWebPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return headers.origin !== undefined || (site !== undefined && site !== 'none')
}

function isSecret(sent: string | string[] | undefined, secret: string): boolean {
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(secret))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
