import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

// Checks who calls a simulator. Every local program can reach its port, and so can every web page open in a browser on
// this machine, including a page whose name resolves to 127.0.0.1 (DNS rebinding).

/** A custom header, so that a web page cannot send it to another origin without a CORS preflight. */
export const SECRET_HEADER = 'x-simulator-secret'

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

export const isLoopback = ({ host }: IncomingHttpHeaders): boolean => LOOPBACK.test(host ?? '')

/** Whether a web page sent the request. `Sec-Fetch-Site: none` is a URL typed into the address bar. */
export function isWebPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return headers.origin !== undefined || (site !== undefined && site !== 'none')
}

/** Compares a secret in constant time. */
export function isSecret(sent: string | string[] | undefined, secret: string): boolean {
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(secret))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
