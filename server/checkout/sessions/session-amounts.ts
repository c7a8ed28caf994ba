import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import { centsFromDecimal } from '../../lib/money.ts'

type Errors = Record<string, string[]>

/** The amounts whose sums are checked, in cents. @see CHK-9, CHK-10 */
export function checkAmounts(input: CheckoutSessionCreate): Errors {
  return { ...checkTotal(input), ...checkLineItems(input), ...checkDiscounts(input) }
}

function checkTotal({
  amount_total,
  amount_subtotal,
  amount_tax = 0,
  amount_discount = 0,
}: CheckoutSessionCreate): Errors {
  if (amount_subtotal === undefined) return {}
  const sum = cents(amount_subtotal) + cents(amount_tax) - cents(amount_discount)
  if (cents(amount_total) === sum) return {}
  return { amount_total: ['must equal amount_subtotal + amount_tax - amount_discount'] }
}

function checkLineItems({ line_items, amount_subtotal }: CheckoutSessionCreate): Errors {
  const errors: Errors = {}
  for (const [index, { quantity, unit_amount, total, image }] of (line_items ?? []).entries()) {
    if (cents(total) !== quantity * cents(unit_amount)) {
      errors[`line_items.${index}.total`] = ['must equal quantity x unit_amount']
    }
    if (image && new URL(image).protocol !== 'https:') errors[`line_items.${index}.image`] = ['must be an https URL']
  }
  if (line_items && line_items.length > 0 && amount_subtotal !== undefined) {
    const sum = line_items.reduce((total, item) => total + cents(item.total), 0)
    if (sum !== cents(amount_subtotal)) errors.amount_subtotal = ['must equal the sum of the line items']
  }
  return errors
}

function checkDiscounts({ discounts = [], amount_discount }: CheckoutSessionCreate): Errors {
  const errors: Errors = {}
  for (const [index, { amount, percent_off }] of discounts.entries()) {
    if (amount === undefined && percent_off === undefined) {
      errors[`discounts.${index}`] = ['must have an amount or a percent_off']
    }
  }
  const amounts = discounts.flatMap(({ amount }) => (amount === undefined ? [] : [cents(amount)]))
  if (amount_discount !== undefined && amounts.length > 0 && amounts.length === discounts.length) {
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    if (sum !== cents(amount_discount)) errors.discounts = ['must add up to amount_discount']
  }
  return errors
}

/** The schema has already checked that the amount is a whole number of cents. */
const cents = (amount: number) => centsFromDecimal(amount) ?? Number.NaN
