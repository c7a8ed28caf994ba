import Negotiator from 'negotiator'
import { LOCALES, type Locale } from '../../../contract/payment-page.ts'

/**
 * The language of the page: what the payer switched to, what the browser asks for, what the business speaks, English.
 * French of any country is answered in the Canadian one.
 *
 * @param asked `?locale=` of the switch and of the client library
 */
export function pageLocale(asked: unknown, acceptLanguage: string | null, businessLocale: string | null): Locale {
  const wanted = typeof asked === 'string' && LOCALES.find((locale) => locale.slice(0, 2) === asked.slice(0, 2))
  if (wanted) return wanted
  const languages = LOCALES.map((locale) => locale.slice(0, 2))
  // A program says `*`: it has no intent.
  const preferred = acceptLanguage === '*' ? null : acceptLanguage?.slice(0, 200)
  const [best] = preferred ? new Negotiator({ headers: { 'accept-language': preferred } }).languages(languages) : []
  const chosen = LOCALES.find((locale) => locale.slice(0, 2) === best)
  return chosen ?? (isLocale(businessLocale) ? businessLocale : 'en')
}

function isLocale(text: string | null): text is Locale {
  return LOCALES.some((locale) => locale === text)
}
