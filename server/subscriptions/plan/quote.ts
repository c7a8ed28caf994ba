import { createHash } from 'node:crypto'
import type { Cents, Currency } from '../../lib/money.ts'
import type { BillAmounts } from './amounts.ts'
import type { Day } from './calendar.ts'

/** Everything that determines what a resume from today charges, and the day on which it was shown (SUB-39). */
export interface ResumeQuote {
  businessId: string
  subscriptionId: string
  subscriptionVersion: number
  pauseId: string
  /** Price of the first item. */
  priceId: string
  unitAmount: Cents
  quantity: number
  taxRatePpm: number | null
  surchargeRatePpm: number | null
  amounts: BillAmounts
  currency: Currency
  paymentMethodId: string | null
  newPeriodStart: Day
  newPeriodEnd: Day
  /** Local day in the subscription's zone: a quote expires at midnight (SUB-31). */
  quotedOn: Day
}

/**
 * Returns the hex SHA-256 of the quote. The service stores no quote: it computes the hash again when the resume
 * arrives, under the subscription's lock.
 *
 * @see SUB-39
 */
export function quoteHash(quote: ResumeQuote): string {
  const { base, tax, surcharge, total } = quote.amounts
  const members = {
    v: 1,
    anchor: 'now',
    business: quote.businessId,
    subscription: quote.subscriptionId,
    subscription_version: quote.subscriptionVersion,
    pause_id: quote.pauseId,
    price: quote.priceId,
    unit_amount: quote.unitAmount,
    quantity: quote.quantity,
    tax_rate: quote.taxRatePpm,
    surcharge_rate: quote.surchargeRatePpm,
    base,
    tax,
    surcharge,
    total,
    currency: quote.currency,
    payment_method: quote.paymentMethodId,
    new_period_start: quote.newPeriodStart,
    new_period_end: quote.newPeriodEnd,
    quoted_on: quote.quotedOn,
  }
  return createHash('sha256').update(canonicalJson(members)).digest('hex')
}

/** Serializes a flat object with its members sorted by name and no white space. */
function canonicalJson(members: Record<string, string | number | null>): string {
  return JSON.stringify(members, Object.keys(members).sort())
}
