import { isKnownCountry, regionCode } from '../../contract/places.ts'
import type { WriteAscii } from './ascii.ts'
import { numericCountry } from './country-codes.ts'
import type { PostalPlace } from './three-ds-server.ts'

/** Returns the fields of an address in an AReq; their names begin with `prefix`. Unknown fields are absent. */
export function addressFields(prefix: 'billAddr' | 'shipAddr', place: PostalPlace | null, ascii: WriteAscii) {
  if (!place) return {}
  const country = numericCountry(place.country ?? '')
  const fields = {
    City: ascii(place.city, 50),
    Country: country,
    Line1: ascii(place.line1, 50),
    Line2: ascii(place.line2, 50),
    PostCode: ascii(place.postalCode, 16),
    // A state is only valid with a country.
    State: country && stateOf(place, ascii),
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[prefix + name, value]])),
  )
}

/** Returns the part of an ISO 3166-2 code after the country: at most three characters. */
function stateOf({ country, state }: PostalPlace, ascii: WriteAscii): string | null {
  if (isKnownCountry(country)) return regionCode(country, state ?? '')
  const code = ascii(state?.replace(new RegExp(`^${country}-`, 'i'), ''), 10)
  return code && /^[0-9a-z]{1,3}$/i.test(code) ? code.toUpperCase() : null
}
