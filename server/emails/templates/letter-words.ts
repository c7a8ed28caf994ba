import { formatLocale } from '../../../contract/money-text.ts'
import type { Locale } from '../../../contract/payment-page.ts'
import { fill, plural } from '../../../contract/text.ts'
import type { Business } from '../../businesses/business.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { LetterRow } from './letter-view.ts'
import { LETTER_TEXTS } from './texts/catalogue.ts'
import type { LetterTexts } from './texts/letter-texts.ts'

type SentenceKey = { [Key in keyof LetterTexts]: LetterTexts[Key] extends string ? Key : never }[keyof LetterTexts]
type PluralKey = Exclude<keyof LetterTexts, SentenceKey>

/** Wording of one business's letters in one language. */
export interface LetterWords {
  locale: Locale
  /** Name of the business. */
  business: string
  /** Returns a sentence; `{business}` is filled in automatically. */
  say(key: SentenceKey, values?: Record<string, string | number>): string
  count(key: PluralKey, count: number): string
  /** Returns a row, or none if there is no value. */
  row(key: SentenceKey, value: string | null, more?: { strong: boolean }): LetterRow[]
  money(amount: Cents, currency: Currency): string
  /** Formats the local day of an instant. */
  date(instant: Date): string
  /** Formats the local day and time of an instant, for what ends within a day. */
  moment(instant: Date): string
  /** @param day `YYYY-MM-DD` */
  day(day: string): string
  /** @param month from 1 */
  month(month: number, year: number): string
}

export function letterWords(
  locale: Locale,
  { name, country, timeZone }: Pick<Business, 'name' | 'country' | 'timeZone'>,
): LetterWords {
  const texts = LETTER_TEXTS[locale]
  const format = formatLocale(locale, country)
  const business = oneLine(name)
  const say: LetterWords['say'] = (key, values = {}) => {
    const given = { business, ...cleaned(values) }
    return fill(locale === 'fr-CA' ? elided(texts[key], given) : texts[key], given)
  }
  return {
    locale,
    business,
    say,
    count: (key, count) => plural(texts[key], count, locale),
    row: (key, value, more) => (value === null ? [] : [{ label: say(key), value: oneLine(value), ...more }]),
    money: (amount, currency) => moneyFormat(format, currency).format(amount / 100),
    date: (instant) => dateFormat(format, timeZone).format(instant),
    moment: (instant) => momentFormat(format, timeZone).format(instant),
    day: (day) => dateFormat(format, 'UTC').format(new Date(`${day}T00:00:00Z`)),
    month: (month, year) => monthFormat(format).format(Date.UTC(year, month - 1)),
  }
}

/** Names that begin with an h are left alone: in some it is silent, in others not. */
const VOWEL = /^(?:[aeiouàâäéèêëîïôöùûüœæ]|y[^aeiouàâäéèêëîïôöùûüœæ])/i

/** Elides in French: `de {month}` becomes `d’avril` for April. */
const elided = (text: string, values: Record<string, string>) =>
  text.replace(/\bde \{(\w+)\}/g, (place, name: string) => (VOWEL.test(values[name] ?? '') ? `d’{${name}}` : place))

const cleaned = (values: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, oneLine(String(value))]))

/**
 * Returns text written by others as a single line: it cannot add lines to a header or to the plain text, or change the
 * direction of the text that follows.
 *
 * @see LTR-13
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

// Cached, because creating a format takes longer than the rest of a letter.
const formats = new Map<string, { format(value: Date | number): string }>()

const dateFormat = (locale: string, timeZone: string) =>
  kept(`${locale} ${timeZone}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }))

const momentFormat = (locale: string, timeZone: string) =>
  kept(
    `${locale} ${timeZone} moment`,
    () =>
      new Intl.DateTimeFormat(locale, {
        ...{ year: 'numeric', month: 'long', day: 'numeric' },
        ...{ hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' },
      }),
  )

const monthFormat = (locale: string) =>
  kept(locale, () => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }))

const moneyFormat = (locale: string, currency: string) =>
  kept(`${locale} ${currency}`, () => new Intl.NumberFormat(locale, { style: 'currency', currency }))

function kept(key: string, make: () => { format(value: Date | number): string }) {
  const format = formats.get(key) ?? make()
  formats.set(key, format)
  return format
}
