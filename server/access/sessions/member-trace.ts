import { createHash } from 'node:crypto'
import { addressForCounting } from '../../http/client-address.ts'

/** How long a trace of a member at an address or in a browser counts. */
export const TRACE_SECONDS = 30 * 86_400

/** The place of a caller. */
export interface Whereabouts {
  /** Address of the caller, after trusted proxies. */
  ip: string | null
  /** Token from the cookie of a dashboard session, which only the browser has that signed in; `null` without one. */
  sessionToken: string | null
}

/**
 * Returns what shows that two people were in one place: the address, or the /64 of an IPv6 address, and the browser.
 * Only its session identifies a browser, since many people have the same user agent.
 *
 * @see SUB-152
 */
export function tracesOf({ ip, sessionToken }: Whereabouts): string[] {
  const address = ip === null ? 'unknown' : addressForCounting(ip)
  return [
    ...(address === 'unknown' ? [] : [`ip ${address}`]),
    ...(sessionToken === null ? [] : [`browser ${createHash('sha256').update(sessionToken).digest('base64url')}`]),
  ]
}
