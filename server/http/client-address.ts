import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createBoundedMap } from '../lib/bounded-map.ts'

/** An IPv4-compatible address, `::a.b.c.d`, is in it. RFC 4291 abolished them, and many programs read them as IPv4. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/**
 * One spelling for each address: IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed. Zones, ports, and numbers in octal,
 * hexadecimal or fewer than four parts are not addresses.
 *
 * @returns `null` for what is not an address, which then is never an allowed one
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

/** Of late: a caller comes again, and parsing takes longer than all else that is done with its address. */
const canonicals = createBoundedMap<string | null>()

function canonicalIpv6(text: string): string | null {
  // In hexadecimal, because ipaddr.js takes `::a.b.c.d` for IPv4.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  const canonical = address.toString()
  const isLoopback = canonical === '::1' && !text.includes('.')
  return address.match(COMPATIBLE) && !isLoopback ? null : canonical
}

/** What a counter is kept for: an IPv6 caller owns at least a /64, so counting single addresses would count nothing. */
export function addressForCounting(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) return 'unknown'
  if (!address.includes(':')) return address
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
