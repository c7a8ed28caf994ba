import { createHash } from 'node:crypto'
import { addressForCounting } from '../../http/client-address.ts'

/** How long it counts that a member was seen at an address or in a browser. */
export const TRACE_SECONDS = 30 * 86_400

/** Where somebody is. */
export interface Whereabouts {
  /** After trusted proxies. */
  ip: string | null
  /** Of the cookie of a dashboard session, which only the browser has that signed in; `null` without one. */
  sessionToken: string | null
}

/**
 * What tells that two people were in one place: the address, of IPv6 its /64, and the browser. A browser is known by
 * its session alone, since many people have the same user agent.
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
