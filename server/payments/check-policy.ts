import type { AvsPolicy, ComparedAddress, CvvPolicy } from '../../contract/card-checks.ts'
import type { Business } from '../businesses/business.ts'
import type { CheckResults } from '../gateway/check-results.ts'
import type { Card } from '../vault/card.ts'

/** Which approvals a business refuses when the payer typed the card's security code. */
export interface CheckPolicy {
  cvvPolicy: CvvPolicy
  avsPolicy: AvsPolicy
}

/**
 * Returns the policy that applies to a card; `null` if the payer typed no security code and so has nothing to correct.
 * For a stored card, a business may ask for the code, but never for the address.
 *
 * @see PAY-29
 */
export function checkPolicyOf(
  { cvvPolicy, avsPolicy }: Pick<Business, 'cvvPolicy' | 'avsPolicy'>,
  { stored, cvv }: Pick<Card, 'stored' | 'cvv'>,
): CheckPolicy | null {
  if (cvv === null) return null
  return { cvvPolicy, avsPolicy: stored === null ? avsPolicy : 'accept' }
}

/** Policies for which the issuer also needs the street. */
const OF_STREET: readonly AvsPolicy[] = ['decline_any_mismatch', 'require_match']

/**
 * Returns the part of the billing address that a payer who types a card must enter, whatever the session collects, so
 * that the issuer can compare it.
 *
 * @see CHK-61
 */
export function comparedAddress({ avsPolicy }: Pick<Business, 'avsPolicy'>): ComparedAddress {
  if (avsPolicy === 'accept') return 'none'
  return OF_STREET.includes(avsPolicy) ? 'street' : 'postal_code'
}

/** Code and message under which a refused approval is reported. */
export interface PolicyRefusal {
  code: 'N7'
  message: string
}

/** @returns `null` if the policy accepts the approval, or if there is no policy */
export function policyRefusal(policy: CheckPolicy | null, results: CheckResults): PolicyRefusal | null {
  if (policy === null) return null
  const { cvvResult: ofCode, avsResult: ofAddress } = results
  if (refusesCode(policy.cvvPolicy, ofCode)) return refusal(`the security code (${ofCode ?? 'no result'})`)
  if (refusesAddress(policy.avsPolicy, ofAddress)) return refusal(`the address (${ofAddress ?? 'no result'})`)
  return null
}

const refusal = (what: string): PolicyRefusal => ({
  code: 'N7',
  message: `Approved, and reversed by the policy of the business for ${what}`,
})

function refusesCode(policy: CvvPolicy, result: string | undefined): boolean {
  switch (policy) {
    case 'accept':
      return false
    case 'decline_mismatch':
      return result === 'N'
    case 'require_match':
      return result !== 'M'
  }
}

function refusesAddress(policy: AvsPolicy, result = ''): boolean {
  const { street, postalCode } = ADDRESS_RESULTS[result] ?? NOT_COMPARED
  switch (policy) {
    case 'accept':
      return false
    case 'decline_no_match':
      return street === false && postalCode === false
    case 'decline_postal_mismatch':
      return postalCode === false
    case 'decline_any_mismatch':
      return street === false || postalCode === false
    case 'require_match':
      return street !== true || postalCode !== true
  }
}

/** Whether each part of the address matches; `null` if the issuer did not compare it. */
interface AddressResult {
  street: boolean | null
  postalCode: boolean | null
}

const NOT_COMPARED: AddressResult = { street: null, postalCode: null }
const BOTH: AddressResult = { street: true, postalCode: true }
const POSTAL_CODE_ALONE: AddressResult = { street: false, postalCode: true }

/** AVS result letters of the card networks. Any other letter (`U`, `S`, `R`, `G`, `I`) means: nothing was compared. */
const ADDRESS_RESULTS: Readonly<Record<string, AddressResult>> = {
  Y: BOTH,
  // `X` is a match on a nine-digit ZIP code.
  X: BOTH,
  // `D`, `M` and `F` are matches outside the US.
  D: BOTH,
  M: BOTH,
  F: BOTH,
  A: { street: true, postalCode: false },
  B: { street: true, postalCode: null },
  Z: POSTAL_CODE_ALONE,
  W: POSTAL_CODE_ALONE,
  P: { street: null, postalCode: true },
  N: { street: false, postalCode: false },
}
