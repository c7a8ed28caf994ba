import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import type { Business } from '../../businesses/business.ts'
import { ApiError } from '../../lib/errors.ts'
import { AMOUNT_CENTS_MAX, type Cents, centsFromDecimal, decimalFromCents, shareOf } from '../../lib/money.ts'
import { shownUrlViolation } from '../../lib/shown-url.ts'

// Rules for a create request that its schema cannot express. Each check returns the errors by field.

type Errors = Record<string, string[]>

/** URLs of a create request, which must be on the origin of the OAuth client. */
interface ReturnUrls {
  success_url: string
  cancel_url: string
}

const FIELDS = ['success_url', 'cancel_url'] as const
const SCHEME_AND_SLASHES = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i

/**
 * Requires HTTPS, and refuses characters that the URL parser silently drops or changes, because other parsers would
 * read a different URL.
 *
 * @returns the errors by field
 * @see CHK-7, ATT-68
 */
export function checkReturnUrls(urls: ReturnUrls, redirectUrl: string): Errors {
  const registered = new URL(redirectUrl)
  return errorsOf(urls, (text) => {
    const url = new URL(text)
    // A staging client may have registered http://localhost:PORT. Then that HTTP origin is allowed, and no other.
    if (url.protocol !== 'https:' && url.origin !== registered.origin) return 'must be an https URL'
    if (!SCHEME_AND_SLASHES.test(text)) return 'must not contain spaces or backslashes'
    return shownUrlViolation(text)
  })
}

/**
 * Requires the URLs, and the request's Origin if there is one, to be on the origin of the client's registered redirect
 * URL. Origins are compared as parsed by the WHATWG URL parser, so similar-looking text does not match.
 *
 * @returns the errors by field
 * @see CHK-6
 */
export function checkOrigins(
  urls: ReturnUrls,
  { origin, redirectUrl }: { origin: string | null; redirectUrl: string },
): Errors {
  const registered = new URL(redirectUrl).origin
  const message = `must be on ${registered}, the origin of the client's redirect URL`
  const errors = errorsOf(urls, (text) => (new URL(text).origin === registered ? null : message))
  if (origin === null || origin === registered) return errors
  return { ...errors, origin: [`must be ${registered}, the origin of the client's redirect URL`] }
}

function errorsOf(urls: ReturnUrls, messageOf: (text: string) => string | null): Errors {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const message = messageOf(urls[field])
      return message === null ? [] : [[field, [message]]]
    }),
  )
}

/** Checks the sums of the amounts, in cents. @see CHK-9, CHK-10 */
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

/** Returns an amount in cents. The schema has already checked that it is a whole number of cents. */
const cents = (amount: number) => centsFromDecimal(amount) ?? Number.NaN

/** Requires a rate of the business for a surcharge, and a valid total including the surcharge. @see CHK-12 */
export function checkSurcharge(
  { surcharge, amount_total: total }: { surcharge?: boolean; amount_total: number },
  { surchargeRateBp: rate }: Business,
): Errors {
  if (!surcharge) return {}
  if (rate === null) return { surcharge: ['is not configured for this business'] }
  const amount = centsFromDecimal(total) ?? (0 as Cents)
  if (amount + shareOf(amount, rate) <= AMOUNT_CENTS_MAX) return {}
  return { surcharge: [`would raise the amount above ${decimalFromCents(AMOUNT_CENTS_MAX as Cents)}`] }
}

/** Requires that an amount from a page does not exceed the limit that the merchant set for its browser token. */
export function checkBrowserAmount({ browserToken }: CreatorCaller, amountTotal: number): Errors {
  const max = browserToken?.amountMax ?? null
  if (max === null || (centsFromDecimal(amountTotal) ?? 0) <= max) return {}
  return { amount_total: [`must be at most ${decimalFromCents(max)}, the max_amount of the browser token`] }
}

/** @throws ApiError `validation_failed`; `origin_mismatch` if there are only mismatches */
export function requireValid(errors: Errors, mismatches: Errors): void {
  const code = Object.keys(errors).length > 0 ? 'validation_failed' : 'origin_mismatch'
  // For an invalid URL, its error takes precedence over the mismatch of its origin.
  const all = { ...errors, ...mismatches, ...errors }
  const [[field, texts] = [null, []]] = Object.entries(all)
  if (field === null) return
  throw new ApiError(code, { message: `${field} ${texts[0]}`, errors: all })
}
