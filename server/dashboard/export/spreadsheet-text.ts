import { LOCALES } from '../../../contract/payment-page.ts'

/** Characters that begin a formula: OWASP's list, and their full-width forms. */
const FORMULA = new Set(['=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'])
const HAS_FORMULA = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const CONTROL_FIRST = /^[\t\r\n\0]/
/** What a spreadsheet may take for the end of a cell. It follows the language of the machine, not the file. */
const SEPARATORS = new Set([',', ';', '\t', '|', '\r', '\n'])
/** What may precede a formula, because a spreadsheet skips it. */
const SKIPPED = /[\s"\0]/

const DIGIT = /\p{Nd}/u
const LETTERS = /\p{L}+/gu
/** A spreadsheet shows whole numbers up to this length as they are, and longer ones as 1.23E+11. */
const PLAIN_NUMBER = /^(?:0|[1-9]\d{0,10})$/
/** A text of digits that no spreadsheet reads as one number or day: a UUID or an IP address. */
const KNOWN = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{1,3}(?:\.\d{1,3}){3})$/
/** `A-1`, `E5`: no number, day or time, since these begin with a sign, or with the name of a month or a currency. */
const LETTER_AND_DIGIT = /^\p{L}{1,2}(?!\p{L})/u
const BOOLEANS = new Set(['true', 'false', 'vrai', 'faux', 'verdadero', 'falso'])
/** A text of digits and only these words may be a number, an amount, a time or a day. */
const WORDS_OF_VALUES = new Set(['e', 'd', 't', 'z', 'h', 'a', 'p', 'm', 'am', 'pm', 'de', 'usd', 'cad', ...months()])

/**
 * Guards a text so that a spreadsheet shows it unchanged. It puts an apostrophe before what would be read as a formula,
 * at any place in the cell where a machine of another language may see the beginning of one; and before what would be
 * read as a number, a day or a time and written differently.
 *
 * @see DSH-124
 */
export function spreadsheetText(text: string): string {
  const guarded = HAS_FORMULA.test(text) ? withoutFormulas(text) : text
  if (guarded.startsWith("'") && !text.startsWith("'")) return guarded
  return CONTROL_FIRST.test(text) || isRewritten(text.trim()) ? `'${guarded}` : guarded
}

function withoutFormulas(text: string): string {
  let guarded = ''
  let isFirst = true
  for (const character of text) {
    if (isFirst && FORMULA.has(character)) guarded += "'"
    guarded += character
    isFirst = SEPARATORS.has(character) || (isFirst && SKIPPED.test(character))
  }
  return guarded
}

/** Whether a spreadsheet may rewrite the text: it drops zeros, rounds digits, and reads `3/4` as a day. */
function isRewritten(text: string): boolean {
  if (BOOLEANS.has(text.toLowerCase())) return true
  if (!DIGIT.test(text) || PLAIN_NUMBER.test(text) || KNOWN.test(text)) return false
  if (LETTER_AND_DIGIT.test(text)) return false
  return (text.match(LETTERS) ?? []).every((word) => WORDS_OF_VALUES.has(word.toLowerCase()))
}

/** Names of months, long and short, in the languages of the dashboard. */
function months(): string[] {
  const names = LOCALES.flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, number) => format.format(Date.UTC(2027, number, 15)))
    }),
  )
  return names.flatMap((name) => name.toLowerCase().match(LETTERS) ?? [])
}
