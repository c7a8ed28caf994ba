import { BlockList, isIPv6 } from 'node:net'
import { canonicalAddress } from './client-address.ts'

/** The prefix of an IPv4-mapped IPv6 address, `::ffff:a.b.c.d`. */
const MAPPED_PREFIX_BITS = 96

interface Range {
  address: string
  /** Length of the prefix; `null` for a single address. */
  bits: number | null
}

/** @returns `null` for text that is neither an address nor a CIDR range */
export function readRange(text: string): Range | null {
  const [start = '', length, ...more] = text.split('/')
  const address = canonicalAddress(start) ?? (start === '::' ? start : null)
  if (address === null || more.length > 0) return null
  if (length === undefined) return { address, bits: null }
  const isMapped = isIPv6(start) && !isIPv6(address)
  const bits = Number(length) - (isMapped ? MAPPED_PREFIX_BITS : 0)
  const most = isIPv6(address) ? 128 : 32
  return /^\d{1,3}$/.test(length) && bits >= 0 && bits <= most ? { address, bits } : null
}

/** Returns a check whether an address, of a peer or of a hop that a trusted proxy reported, is a trusted proxy. */
export function trustedBy(proxies: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const proxy of proxies) {
    const range = readRange(proxy)
    if (!range) throw new Error(`${proxy} is neither an address nor a CIDR range`)
    if (range.bits === null) list.addAddress(range.address, familyOf(range.address))
    else list.addSubnet(range.address, range.bits, familyOf(range.address))
  }
  return (text) => {
    const address = canonicalAddress(text)
    return address !== null && list.check(address, familyOf(address))
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
