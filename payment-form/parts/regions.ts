import type { Locale } from '../../contract/payment-page.ts'
import { COUNTRIES, PROVINCES, PROVINCES_FRENCH, US_STATES } from '../../contract/places.ts'
import { option } from './field.ts'

const countryOptionsByLocale = new Map<Locale, { code: string; name: string }[]>()

/** Renders all countries by name in the payer's language, with the United States and Canada first. */
export function countryOptions(locale: Locale, selected: string): string {
  return countries(locale)
    .map(({ code, name }) => option(code, name, code === selected))
    .join('')
}

function countries(locale: Locale) {
  const known = countryOptionsByLocale.get(locale)
  if (known) return known
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const isNear = (code: string) => code === 'US' || code === 'CA'
  const sorted = COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort(
    (a, b) => Number(isNear(b.code)) - Number(isNear(a.code)) || a.name.localeCompare(b.name, locale),
  )
  countryOptionsByLocale.set(locale, sorted)
  return sorted
}

export function regionOptions(country: 'US' | 'CA', locale: Locale, choose: string): string {
  const provinces = locale === 'fr-CA' ? PROVINCES_FRENCH : PROVINCES
  const regions = (country === 'US' ? US_STATES : provinces).split(',')
  return option('', choose) + regions.map((region) => option(region.slice(0, 2), region.slice(3))).join('')
}
