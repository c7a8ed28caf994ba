import Negotiator from 'negotiator'
import { LOCALES, type Locale } from '../../../contract/payment-page.ts'

/**
 * Returns the language of the page: that of `?locale=`, of the browser or of the business, or else English, in this
 * order. Any French becomes Canadian French.
 *
 * @param asked value of `?locale=`, as set by the language links and the client library
 */
export function pageLocale(asked: unknown, acceptLanguage: string | null, businessLocale: string | null): Locale {
  return payerLocale(asked, acceptLanguage) ?? (isLocale(businessLocale) ? businessLocale : 'en')
}

/** Returns the language that the payer asks for; `null` if they ask for none that we support. */
export function payerLocale(asked: unknown, acceptLanguage: string | null): Locale | null {
  const wanted = typeof asked === 'string' && LOCALES.find((locale) => locale.slice(0, 2) === asked.slice(0, 2))
  if (wanted) return wanted
  const languages = LOCALES.map((locale) => locale.slice(0, 2))
  // `*` expresses no preference.
  const preferred = acceptLanguage === '*' ? null : acceptLanguage?.slice(0, 200)
  const [best] = preferred ? new Negotiator({ headers: { 'accept-language': preferred } }).languages(languages) : []
  return LOCALES.find((locale) => locale.slice(0, 2) === best) ?? null
}

function isLocale(text: string | null): text is Locale {
  return LOCALES.some((locale) => locale === text)
}
