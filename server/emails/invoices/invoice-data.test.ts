import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { billingVectors } from '../../../test/support/billing-vectors.ts'
import { exampleInvoiceData } from '../../../test/support/example-invoice.ts'
import type { Cents } from '../../lib/money.ts'
import { readRatePpm } from '../../lib/rate.ts'
import { billAmounts } from '../../subscriptions/plan/amounts.ts'

const cents = (amount: number) => amount as Cents

describe('What an invoice prints', () => {
  test('are lines of unit amount times quantity, and their sum', () => {
    const { lines, subtotal } = exampleInvoiceData()
    deepEqual(
      lines.map(({ amount }) => amount),
      [4_900, 2_500],
    )
    equal(subtotal, 7_400)
  })

  for (const { id, given, expect } of billingVectors.filter(({ kind }) => kind === 'amount')) {
    test(`is the tax, surcharge and total that the bill charges: ${id} (BIL-14)`, () => {
      const { unit_amount, tax_rate, surcharge_rate } = given as Record<string, string>
      const [taxRatePpm, surchargeRatePpm] = [
        readRatePpm(Number(tax_rate), 100),
        readRatePpm(Number(surcharge_rate), 100),
      ]
      const baseAmount = cents(Number(unit_amount))
      const bill = billAmounts({ baseAmount, taxRatePpm, surchargeRatePpm, surchargeRounding: 'half_up' })
      const data = exampleInvoiceData({
        lines: [{ name: 'Plan', quantity: 1, unitAmount: baseAmount }],
        tax: { ratePpm: taxRatePpm, amount: bill.tax },
        surcharge: { ratePpm: surchargeRatePpm, amount: bill.surcharge },
        total: bill.total,
      })
      const { tax, surcharge, total } = data
      deepEqual({ tax: tax?.amount ?? 0, surcharge: surcharge?.amount ?? 0, total }, expect)
    })
  }

  test('leaves out a tax and a surcharge of nothing', () => {
    const none = { ratePpm: 0, amount: cents(0) }
    const { tax, surcharge } = exampleInvoiceData({ tax: none, surcharge: none, total: cents(7_400) })
    deepEqual({ tax, surcharge }, { tax: null, surcharge: null })
  })

  test('is refused when it is not the total to the cent', () => {
    throws(() => exampleInvoiceData({ total: cents(8_713) }), /are not its total/)
  })
})
