import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cents } from '../../lib/money.ts'
import type { Funding } from '../../vault/bin-table.ts'
import { type BillingPlace, placeToKeep } from './billing-place.ts'
import { surchargeOf, withShipping } from './surcharge.ts'

interface Given {
  total?: number
  rate?: number | null
  funding?: Funding
  country?: 'US' | 'CA'
  province?: string | null
  places?: BillingPlace[]
  currency?: 'USD' | 'CAD'
}

/** Returns the surcharge of a credit card from Ontario at a business in Ontario, with the given changes. */
function surcharge({
  total = 2_550,
  rate = 240,
  funding = 'credit',
  country = 'CA',
  province = 'ON',
  currency = 'CAD',
  places,
}: Given) {
  const session = { amountTotal: total as Cents, surchargeRateBp: rate, currency }
  const facts = { funding, places: places ?? [{ country: 'CA', postal_code: 'M5V 2T6' }] }
  return surchargeOf(session, { country, province }, facts)
}

describe('A surcharge', () => {
  test('is the rate times the total, rounded half up, and is added to the total', () => {
    deepEqual(surcharge({}), { applies: true, amount: 61, total: 2_611 })
    deepEqual(surcharge({ total: 2_563 }), { applies: true, amount: 62, total: 2_625 })
    deepEqual(surcharge({ total: 625, rate: 200 }), { applies: true, amount: 13, total: 638 })
  })

  for (const funding of ['debit', 'prepaid', 'unknown'] as const)
    test(`never applies to a card whose funding is ${funding}`, () =>
      deepEqual(surcharge({ funding }), { applies: false, amount: 0, total: 2_550 }))

  test('never applies to a session without a rate', () => equal(surcharge({ rate: null }).applies, false))

  test('never applies for a business in Quebec', () => {
    equal(surcharge({ province: 'QC' }).applies, false)
    equal(surcharge({ province: 'qc' }).applies, false)
    equal(surcharge({ province: null }).applies, true)
  })

  for (const [place, applies] of [
    [{ country: 'CA', postal_code: 'H2X 1Y4' }, false],
    [{ country: 'CA', postal_code: 'g1a1a1' }, false],
    [{ country: 'ca', postal_code: ' j4b 5t7' }, false],
    [{ country: 'CA', state: 'QC' }, false],
    [{ country: 'CA', state: 'Québec' }, false],
    [{ postal_code: 'H2X1Y4' }, false],
    [{ state: 'qc' }, false],
    [{ country: 'CA', postal_code: 'K1A 0B1' }, true],
    [{ country: 'US', postal_code: '10001', state: 'NY' }, true],
    [{ country: 'GB', postal_code: 'G1 1AA' }, true],
    [{ postal_code: 'G1 1AA' }, true],
    [{ postal_code: '10001' }, true],
    [{ country: 'CA', state: 'ON' }, true],
    [{ country: 'CA', state: 'British Columbia' }, true],
    [{ country: 'CA', state: 'CA-ON' }, true],
    [{ state: 'ON' }, true],
    [{ postal_code: 'M5V 2T6' }, true],
    [{ country: 'US' }, true],
    [{ country: 'CA', state: 'QUE\u0301BEC' }, false],
    [{ country: 'CA', state: 'Province de Qu\u00e9bec' }, false],
    [{ country: 'CA', state: 'ca-qc' }, false],
    [{ country: 'CA', postal_code: '\uff282X-1Y4' }, false],
    [{ country: 'CA', state: 'ON', postal_code: 'H2X 1Y4' }, false],
    [{ country: 'CA', state: 'QC', postal_code: 'M5V 2T6' }, false],
    [{ country: 'US', postal_code: 'H2X 1Y4' }, false],
    [{ country: 'US', state: 'QC' }, false],
    [{ country: 'GB', postal_code: 'H2X 1Y4' }, false],
    [{ country: 'CA' }, false],
    [{ country: 'CA', postal_code: '10001' }, false],
    [{ country: 'CA', state: 'Montreal' }, false],
    [{ postal_code: 'N/A' }, false],
    [{ postal_code: 'HOH 0H0' }, false],
    [{ state: 'Somewhere' }, false],
    [{}, false],
  ] as const)
    test(`${JSON.stringify(place)}: ${applies ? 'applies' : 'never applies'}`, () =>
      equal(surcharge({ places: [place] }).applies, applies))

  for (const [what, given, applies] of [
    ['a Canadian business', { country: 'CA', currency: 'USD' }, false],
    ['Canadian dollars', { country: 'US', province: null, currency: 'CAD' }, false],
    ['an American business and its dollars', { country: 'US', province: null, currency: 'USD' }, true],
  ] as const)
    test(`an unknown place, ${what}: ${applies ? 'applies' : 'never applies'}`, () => {
      for (const places of [[], [{}], [{ postal_code: ' ' }], [{ state: '?' }, {}]])
        equal(surcharge({ ...given, places }).applies, applies)
      equal(surcharge({ ...given, places: [{ country: 'CA' }] }).applies, false)
      equal(surcharge({ ...given, places: [{ country: 'US', postal_code: '10001' }] }).applies, true)
    })

  test('one address in Quebec is enough to exclude it', () => {
    equal(surcharge({ places: [{ country: 'CA', postal_code: 'M5V 2T6' }, { postal_code: 'H2X 1Y4' }] }).applies, false)
  })

  test('a shipping address in Quebec excludes it, and any other is ignored', () => {
    const [here, quebec] = [
      { country: 'CA', postal_code: 'M5V 2T6' },
      { country: 'CA', state: 'QC' },
    ]
    equal(surcharge({ places: withShipping([here], quebec) }).applies, false)
    equal(surcharge({ places: withShipping([here], here) }).applies, true)
    equal(surcharge({ places: withShipping([], here) }).applies, false)
  })

  test('the most decisive of several places is stored', () => {
    const [here, quebec] = [{ country: 'CA', postal_code: 'M5V 2T6' }, { postal_code: 'H2X 1Y4' }]
    deepEqual(placeToKeep([{}, here, quebec]), quebec)
    deepEqual(placeToKeep([{ country: 'CA' }, {}, here]), here)
    deepEqual(placeToKeep([]), {})
  })
})
