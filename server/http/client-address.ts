import ipaddr from 'ipaddr.js'

/**
 * One spelling for each address: IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed, zones and ports are not addresses.
 *
 * @returns `null` for what is no address, which then is never an allowed one
 */
export function canonicalAddress(text: string): string | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null
  if (text.includes('%') || /(?:^|\.)0\d/.test(text)) return null
  return ipaddr.process(text).toString()
}

/** What a counter is kept for: an IPv6 caller owns at least a /64, so counting single addresses would count nothing. */
export function addressForCounting(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) return 'unknown'
  if (!address.includes(':')) return address
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
