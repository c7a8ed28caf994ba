import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createBoundedMap } from '../lib/bounded-map.ts'

/** IPv4-compatible addresses, `::a.b.c.d`. RFC 4291 deprecates them, and many programs read them as IPv4. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/**
 * Returns the one spelling of an address: IPv4-mapped IPv6 becomes IPv4, and IPv6 is compressed. Zones, ports, and IPv4
 * in octal, in hexadecimal or with fewer than four parts are not addresses.
 *
 * @returns `null` for text that is not an address and therefore never matches an allowed one
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text)
  if (family === 4) return text
  if (family !== 6 || text.includes('%')) return null
  const known = canonicals.get(text)
  if (known !== undefined) return known
  const canonical = canonicalIpv6(text)
  canonicals.set(text, canonical)
  return canonical
}

/** Recent results: callers return, and parsing costs more than everything else that is done with an address. */
const canonicals = createBoundedMap<string | null>()

function canonicalIpv6(text: string): string | null {
  // URL writes it in hexadecimal; ipaddr.js would read `::a.b.c.d` as IPv4.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  const canonical = address.toString()
  const isLoopback = canonical === '::1' && !text.includes('.')
  return address.match(COMPATIBLE) && !isLoopback ? null : canonical
}

/** Whether an address, in any spelling, is a loopback address of this machine. */
export function isLoopback(text: string): boolean {
  const address = canonicalAddress(text)
  return address === '::1' || address?.startsWith('127.') === true
}

/**
 * Returns the key for counting by address. An IPv6 caller owns at least a /64, so limits on single addresses would
 * limit nothing.
 */
export function addressForCounting(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) return 'unknown'
  if (!address.includes(':')) return address
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
