import { canonicalAddress } from '../../http/client-address.ts'
import { invalidField } from '../../lib/errors.ts'

/** Elsewhere they mean every address; no call comes from them. */
const NOBODY = new Set(['0.0.0.0', '::', '255.255.255.255'])

/**
 * @param field as the caller named it
 * @returns the canonical spelling, which is what callers are compared with
 * @throws ApiError `validation_failed` for a range, a host name, and what is not an address
 */
export function oneAddress(field: string, text: string): string {
  if (text.includes('/')) {
    throw invalidField(field, 'must be a single address: a range would let in whoever shares the network')
  }
  const canonical = canonicalAddress(text)
  if (canonical === null || NOBODY.has(canonical)) {
    throw invalidField(field, 'must be the IPv4 or IPv6 address of one server, such as 203.0.113.7')
  }
  return canonical
}
