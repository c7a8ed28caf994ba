import { canonicalAddress } from '../../http/client-address.ts'
import { invalidField } from '../../lib/errors.ts'

/** Wildcard and broadcast addresses, from which no call comes. */
const NOT_A_HOST = new Set(['0.0.0.0', '::', '255.255.255.255'])

/**
 * @param field name of the field in the refusal
 * @returns the canonical spelling, which callers are compared with
 * @throws ApiError `validation_failed` for a range, a host name, and any other text that is not an address
 */
export function oneAddress(field: string, text: string): string {
  if (text.includes('/')) {
    throw invalidField(field, 'must be a single address, not a range')
  }
  const canonical = canonicalAddress(text)
  if (canonical === null || NOT_A_HOST.has(canonical)) {
    throw invalidField(field, 'must be the IPv4 or IPv6 address of one server, such as 203.0.113.7')
  }
  return canonical
}
