import type { AvsPolicy, ComparedAddress, CvvPolicy } from '../../contract/card-checks.ts'
import type { Business } from '../businesses/business.ts'
import type { CheckResults } from '../gateway/check-results.ts'
import type { Card } from '../vault/card.ts'

/** Which approvals a business refuses of a card whose code was typed. */
export interface CheckPolicy {
  cvvPolicy: CvvPolicy
  avsPolicy: AvsPolicy
}

/**
 * The policy that applies to a card; `null` where the payer has typed no code of it, and so can correct nothing. A
 * stored card has its code, where the business asks for it, but no address.
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

/** The policies for which an issuer needs the street too. */
const OF_STREET: readonly AvsPolicy[] = ['decline_any_mismatch', 'require_match']

/**
 * What a payer who types a card gives of its billing address, whatever the session collects, so that the issuer can
 * compare it.
 *
 * @see CHK-61
 */
export function comparedAddress({ avsPolicy }: Pick<Business, 'avsPolicy'>): ComparedAddress {
  if (avsPolicy === 'accept') return 'none'
  return OF_STREET.includes(avsPolicy) ? 'street' : 'postal_code'
}

/** What a refused approval is reported as. */
export interface PolicyRefusal {
  code: 'N7'
  message: string
}

/** @returns `null` when the policy accepts the approval, and where there is none */
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

/** Whether each part of the address matches; `null` where the issuer did not compare it. */
interface AddressResult {
  street: boolean | null
  postalCode: boolean | null
}

const NOT_COMPARED: AddressResult = { street: null, postalCode: null }
const BOTH: AddressResult = { street: true, postalCode: true }
const POSTAL_CODE_ALONE: AddressResult = { street: false, postalCode: true }

/** The letters of the card networks. Any other, such as `U`, `S`, `R`, `G` and `I`: nothing was compared. */
const ADDRESS_RESULTS: Readonly<Record<string, AddressResult>> = {
  Y: BOTH,
  // With nine digits of a ZIP code.
  X: BOTH,
  // Outside the US.
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
