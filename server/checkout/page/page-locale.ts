import Negotiator from 'negotiator'
import { LOCALES, type Locale } from '../../../contract/payment-page.ts'

/**
 * The language of the page, from the first of: `?locale=`, the browser's languages, the language of the business,
 * English. Any French becomes Canadian French.
 *
 * @param asked `?locale=`, as set by the language links and the client library
 */
export function pageLocale(asked: unknown, acceptLanguage: string | null, businessLocale: string | null): Locale {
  const wanted = typeof asked === 'string' && LOCALES.find((locale) => locale.slice(0, 2) === asked.slice(0, 2))
  if (wanted) return wanted
  const languages = LOCALES.map((locale) => locale.slice(0, 2))
  // `*` expresses no preference.
  const preferred = acceptLanguage === '*' ? null : acceptLanguage?.slice(0, 200)
  const [best] = preferred ? new Negotiator({ headers: { 'accept-language': preferred } }).languages(languages) : []
  const chosen = LOCALES.find((locale) => locale.slice(0, 2) === best)
  return chosen ?? (isLocale(businessLocale) ? businessLocale : 'en')
}

function isLocale(text: string | null): text is Locale {
  return LOCALES.some((locale) => locale === text)
}
