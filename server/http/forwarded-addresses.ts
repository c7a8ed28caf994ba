import type { Server } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

/**
 * Removes ports and brackets from the addresses of `X-Forwarded-For` before anything reads them: some proxies write
 * `203.0.113.7:5678` or `[2001:db8::1]:443`.
 */
export function readForwardedAddresses(server: Server): void {
  server.prependListener('request', ({ headers }) => {
    const hops = headers['x-forwarded-for']
    if (typeof hops === 'string') headers['x-forwarded-for'] = hops.split(',').map(addressOfHop).join(',')
  })
}

/** @returns any other text unchanged */
export function addressOfHop(text: string): string {
  const hop = text.trim()
  const [, bracketed = '', plain = ''] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(hop) ?? []
  return isIP(bracketed) === 6 ? bracketed : isIPv4(plain) ? plain : hop
}
