import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AVS_POLICIES, type AvsPolicy, CVV_POLICIES, type CvvPolicy } from '../../contract/card-checks.ts'
import { Secret } from '../vault/secret.ts'
import { checkPolicyOf, comparedAddress, policyRefusal } from './check-policy.ts'

const ACCEPT = { cvvPolicy: 'accept', avsPolicy: 'accept' } as const

/** Results with which each policy is tested, and those that it refuses; `-` stands for no result. */
const CVV_RESULTS = ['M', 'N', 'P', 'S', 'U', '-']
const REFUSED_CVV: Record<CvvPolicy, string> = { accept: '', decline_mismatch: 'N', require_match: 'NPSU-' }

const AVS_RESULTS = [...'YXDMFABZWPNUSRGICE', '-']
const REFUSED_AVS: Record<AvsPolicy, string> = {
  accept: '',
  decline_no_match: 'N',
  decline_postal_mismatch: 'AN',
  decline_any_mismatch: 'AZWN',
  require_match: 'ABZWPNUSRGICE-',
}

const given = (result: string) => (result === '-' ? undefined : result)

describe('An approval (PAY-29)', () => {
  for (const cvvPolicy of CVV_POLICIES)
    for (const result of CVV_RESULTS) {
      const isRefused = REFUSED_CVV[cvvPolicy].includes(result)
      test(`with the CVV result ${result} is ${isRefused ? 'refused' : 'kept'} by ${cvvPolicy}`, () => {
        const cvvResult = given(result)
        const found = policyRefusal({ ...ACCEPT, cvvPolicy }, cvvResult === undefined ? {} : { cvvResult })
        equal(found?.code ?? null, isRefused ? 'N7' : null)
      })
    }

  for (const avsPolicy of AVS_POLICIES)
    for (const result of AVS_RESULTS) {
      const isRefused = REFUSED_AVS[avsPolicy].includes(result)
      test(`with the AVS result ${result} is ${isRefused ? 'refused' : 'kept'} by ${avsPolicy}`, () => {
        const avsResult = given(result)
        const found = policyRefusal({ ...ACCEPT, avsPolicy }, avsResult === undefined ? {} : { avsResult })
        equal(found?.code ?? null, isRefused ? 'N7' : null)
      })
    }

  test('is refused when either policy refuses it, for the security code first', () => {
    const policy = { cvvPolicy: 'decline_mismatch', avsPolicy: 'decline_no_match' } as const
    equal(policyRefusal(policy, { cvvResult: 'M', avsResult: 'Y' }), null)
    const of = (cvvResult: string, avsResult: string) => policyRefusal(policy, { cvvResult, avsResult })?.message
    equal(of('N', 'N'), 'Approved, and reversed by the policy of the business for the security code (N)')
    equal(of('M', 'N'), 'Approved, and reversed by the policy of the business for the address (N)')
  })

  test('of a card without a typed code is kept whatever its results; of a saved card its code alone counts', () => {
    const business = { cvvPolicy: 'require_match', avsPolicy: 'require_match' } as const
    const stored = { id: 'x', networkTransactionId: null, dsTransactionId: null }
    const cvv = new Secret('123')
    const refusalOf = (card: Parameters<typeof checkPolicyOf>[1], results: Parameters<typeof policyRefusal>[1] = {}) =>
      policyRefusal(checkPolicyOf(business, card), results)?.code
    equal(refusalOf({ stored, cvv: null }), undefined)
    equal(refusalOf({ stored: null, cvv: null }), undefined)
    equal(refusalOf({ stored, cvv }), 'N7')
    equal(refusalOf({ stored, cvv }, { cvvResult: 'M', avsResult: 'N' }), undefined)
    equal(refusalOf({ stored: null, cvv }, { cvvResult: 'M', avsResult: 'N' }), 'N7')
  })
})

test('CHK-61: the address that the payer gives is what the policy compares', () => {
  deepEqual(
    AVS_POLICIES.map((avsPolicy) => comparedAddress({ avsPolicy })),
    ['none', 'postal_code', 'postal_code', 'street', 'street'],
  )
})
