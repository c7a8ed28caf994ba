import { type RawBuilder, sql } from 'kysely'
import { searchForm, searchWords } from '../../contract/search-text.ts'

/** Shortest part of a text that trigrams find. Shorter parts are searched by reading the rows. */
const INDEXED_MIN = 3

/** Where a text that has only shorter words is searched. */
export type ShortWords = 'anywhere' | 'at_beginnings'

/** Returns the patterns of the words of a text, for `search_form`. */
function patternsOf(text: string, short: ShortWords): string[] {
  const words = searchWords(text).map(literally)
  const start = short === 'at_beginnings' && words.every((word) => word.length < INDEXED_MIN) ? ' ' : ''
  return words.map((word) => `%${start}${word}%`)
}

/** Returns the form in which a column is compared: an index has the same expression. */
export const formOf = (text: RawBuilder<unknown>) => sql<string>`search_form(${text})`

/** Whether a form has all words of a text, in any order, including as parts of longer words. */
export function hasWords(form: RawBuilder<string>, sought: string, short: ShortWords = 'anywhere') {
  const patterns = patternsOf(sought, short)
  // The text has only hyphens and apostrophes.
  if (patterns.length === 0) return sql<boolean>`false`
  return sql<boolean>`(${sql.join(
    patterns.map((pattern) => sql`${form} like ${pattern}`),
    sql` and `,
  )})`
}

/** Whether a form begins with a text. */
export const beginsWith = (form: RawBuilder<string>, beginning: string) =>
  sql<boolean>`${form} like ${` ${literally(searchForm(beginning).trim())}%`}`

/** Writes a form as `search_form` does: in ASCII, and without the character that escapes in a pattern. */
export const inDatabase = (form: string): string =>
  form.replace(/\P{ASCII}|\\/gu, (letter) => [...Buffer.from(letter)].map((byte) => `x${byte.toString(8)}`).join(''))

/** Returns what `search_form` returns for a text. The caller limits its length. */
export const storedForm = (text: string): string => ` ${inDatabase(searchForm(text))}`

/** Escapes wildcards for a pattern. */
const literally = (form: string) => inDatabase(form).replace(/[%_]/g, '\\$&')
