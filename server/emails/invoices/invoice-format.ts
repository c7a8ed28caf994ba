import type { Locale } from '../../../contract/payment-page.ts'
import type { Cents } from '../../lib/money.ts'
import { localeTag, plainSpaces } from '../../pdf/letterhead.ts'
import type { InvoiceCard, InvoiceData } from './invoice.ts'

/** Names of card networks, by their codes on stored cards. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Formats amounts, rates and dates for one invoice. */
export interface InvoiceFormat {
  money(amount: Cents): string
  /** Formats an amount with its currency code, for use without context. */
  moneyWithCode(amount: Cents): string
  rate(ratePpm: number): string
  count(value: number): string
  /** Formats the day of an instant in the invoice's time zone. */
  dayAt(instant: Date): string
  /** @param day `YYYY-MM-DD` */
  day(day: string): string
  card(card: InvoiceCard): string
}

/** Returns the format for a language and the seller's country, as on the payment page (PAG-27). */
export function invoiceFormat({ seller, currency, timeZone }: InvoiceData, locale: Locale): InvoiceFormat {
  const tag = localeTag(locale, seller.country)
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 })
  const count = new Intl.NumberFormat(tag)
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone })
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const moneyOf = (amount: Cents) => plainSpaces(money.format(amount / 100))
  return {
    money: moneyOf,
    // `CA$12.00` and `12,00 $ US` already name the currency.
    moneyWithCode: (amount) => (/[A-Z]/.test(moneyOf(amount)) ? moneyOf(amount) : `${moneyOf(amount)} ${currency}`),
    rate: (ratePpm) => plainSpaces(percent.format(ratePpm / 1_000_000)),
    count: (value) => plainSpaces(count.format(value)),
    dayAt: (instant) => plainSpaces(dates.format(instant)),
    day: (day) => plainSpaces(days.format(new Date(`${day}T00:00:00Z`))),
    card: ({ brand, last4 }) => `${BRANDS[brand] ?? brand} •••• ${last4}`,
  }
}

/** Returns the last day of a period whose end is exclusive. */
export function dayBefore(day: string): string {
  const before = new Date(`${day}T00:00:00Z`)
  before.setUTCDate(before.getUTCDate() - 1)
  return before.toISOString().slice(0, 10)
}
