import { type RawBuilder, sql } from 'kysely'
import { searchForm, searchWords } from '../../contract/search-text.ts'

/** A part of a text that trigrams do not find is looked for by reading the others. */
const INDEXED_MIN = 3

/** Where a text of nothing but shorter words is looked for. */
export type ShortWords = 'anywhere' | 'at_beginnings'

/** The patterns of the words of a text, for `search_form`. */
function patternsOf(text: string, short: ShortWords): string[] {
  const words = searchWords(text).map(literally)
  const start = short === 'at_beginnings' && words.every((word) => word.length < INDEXED_MIN) ? ' ' : ''
  return words.map((word) => `%${start}${word}%`)
}

/** How a text of a table is compared: an index has the same expression. */
export const formOf = (text: RawBuilder<unknown>) => sql<string>`search_form(${text})`

/** Whether forms have all words of a text, in any order; also in parts of longer words. */
export function hasWords(form: RawBuilder<string>, sought: string, short: ShortWords = 'anywhere') {
  const patterns = patternsOf(sought, short)
  // A text of nothing but hyphens and apostrophes.
  if (patterns.length === 0) return sql<boolean>`false`
  return sql<boolean>`(${sql.join(
    patterns.map((pattern) => sql`${form} like ${pattern}`),
    sql` and `,
  )})`
}

/** Whether forms begin with a text. */
export const beginsWith = (form: RawBuilder<string>, beginning: string) =>
  sql<boolean>`${form} like ${` ${literally(searchForm(beginning).trim())}%`}`

/** As `search_form` writes it: in ASCII, and without what escapes in a pattern. */
export const inDatabase = (form: string): string =>
  form.replace(/\P{ASCII}|\\/gu, (letter) => [...Buffer.from(letter)].map((byte) => `x${byte.toString(8)}`).join(''))

/** For a pattern: what would be wildcards stand for themselves. */
const literally = (form: string) => inDatabase(form).replace(/[%_]/g, '\\$&')
