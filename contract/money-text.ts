import type { Locale } from './payment-page.ts'

// PAG-27: amounts and dates are formatted by the payer's language and the business's country.

/** Returns the locale for `Intl`: a Canadian business writes its dollars as `$`, an American one as `CA$`. */
export function formatLocale(locale: Locale, country: 'US' | 'CA'): string {
  if (locale === 'en') return country === 'CA' ? 'en-CA' : 'en-US'
  return locale === 'es' ? 'es-US' : locale
}

/** @param amount major units */
export function formatMoney(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
}

/** @param percent 2.4 means 2.4 % */
export function formatPercent(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100)
}

/** @param day `YYYY-MM-DD` */
export function formatDay(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
