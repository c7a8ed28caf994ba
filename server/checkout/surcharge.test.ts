import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cents } from '../lib/money.ts'
import type { Funding } from '../vault/bin-table.ts'
import { type BillingPlace, surchargeOf } from './surcharge.ts'

interface Given {
  total?: number
  rate?: number | null
  funding?: Funding
  country?: 'US' | 'CA'
  province?: string | null
  places?: BillingPlace[]
}

/** A credit card of Ontario at a business of Ontario, but for what is given. */
function surcharge({ total = 2_550, rate = 240, funding = 'credit', country = 'CA', province = 'ON', places }: Given) {
  const session = { amountTotal: total as Cents, surchargeRateBp: rate }
  const facts = { funding, places: places ?? [{ country: 'CA', postal_code: 'M5V 2T6' }] }
  return surchargeOf(session, { country, province }, facts)
}

describe('A surcharge', () => {
  test('is the rate of the total, half a cent rounded up, and on top of it', () => {
    deepEqual(surcharge({}), { applies: true, amount: 61, total: 2_611 })
    deepEqual(surcharge({ total: 2_563 }), { applies: true, amount: 62, total: 2_625 })
    deepEqual(surcharge({ total: 625, rate: 200 }), { applies: true, amount: 13, total: 638 })
  })

  for (const funding of ['debit', 'prepaid', 'unknown'] as const)
    test(`never applies to a card that is ${funding}`, () =>
      deepEqual(surcharge({ funding }), { applies: false, amount: 0, total: 2_550 }))

  test('never applies to a session without one', () => equal(surcharge({ rate: null }).applies, false))

  test('never applies for a business of Quebec', () => {
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
    [{}, true],
  ] as const)
    test(`${JSON.stringify(place)}: ${applies ? 'applies' : 'never applies'}`, () =>
      equal(surcharge({ places: [place] }).applies, applies))

  test('one address of Quebec is enough', () => {
    equal(surcharge({ places: [{ country: 'CA', postal_code: 'M5V 2T6' }, { postal_code: 'H2X 1Y4' }] }).applies, false)
  })
})
