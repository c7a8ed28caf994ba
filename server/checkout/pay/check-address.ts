import { needsCity, needsPostalCode } from '../../../contract/address-parts.ts'
import { isKnownCountry, isPostalCode, regionCode, tidyPostalCode } from '../../../contract/places.ts'
import type { PostalAddress } from './pay-request.ts'

type Errors = Record<string, string[]>

const POSTAL_CODE_MESSAGES = { US: 'must be a ZIP code, such as 10001', CA: 'must be a postal code, such as H2X 1Y4' }
const STATE_MESSAGES = { US: 'must be a state of the US, such as NY', CA: 'must be a province of Canada, such as QC' }

/**
 * Validates an address: it must have the parts that its country needs; for the United States and Canada, state and
 * postal code must also be valid.
 *
 * @returns the errors by field
 */
export function checkAddress(field: string, address: PostalAddress = {}, isRequired: boolean): Errors {
  return { ...(isRequired && missingParts(field, address)), ...checkPlace(field, address) }
}

function missingParts(field: string, address: PostalAddress): Errors {
  const { country } = address
  const required = [
    'line1',
    'country',
    ...(needsCity(country) ? ['city'] : []),
    ...(needsPostalCode(country) ? ['postal_code'] : []),
    ...(isKnownCountry(country) ? ['state'] : []),
  ] as (keyof PostalAddress)[]
  return Object.fromEntries(
    required.filter((part) => !address[part]?.trim()).map((part) => [`${field}.${part}`, ['is required']]),
  )
}

function checkPlace(field: string, { country, state, postal_code: code }: PostalAddress): Errors {
  if (!isKnownCountry(country)) return {}
  const wrongCode = code?.trim() ? postalCodeFault(country, code) : null
  return {
    ...(state?.trim() && regionCode(country, state) === null && { [`${field}.state`]: [STATE_MESSAGES[country]] }),
    ...(wrongCode !== null && { [`${field}.postal_code`]: [wrongCode] }),
  }
}

/** Returns what is wrong with a postal code; `null` if it is valid, or if the country's codes are not known here. */
export function postalCodeFault(country: string | undefined, code: string): string | null {
  return isKnownCountry(country) && !isPostalCode(country, code) ? POSTAL_CODE_MESSAGES[country] : null
}

/** Normalizes state and postal code for storage. */
export function tidyAddress(address: PostalAddress): PostalAddress {
  const { country, state, postal_code: code } = address
  const region = isKnownCountry(country) && state ? regionCode(country, state) : null
  return {
    ...address,
    ...(region !== null && { state: region }),
    ...(code !== undefined && { postal_code: tidyPostalCode(country, code) }),
  }
}
