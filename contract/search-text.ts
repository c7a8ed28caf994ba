// How every search compares texts: without case, accents, and characters that keyboards and phones write differently.
// The database function `search_form` brings stored texts into the same form; a test compares the two for every
// character.

/** Accents that would decompose into a space and a mark. `´` is typed as an apostrophe. */
export const SPACING_ACCENTS =
  '\u00a8\u00af\u00b4\u00b8\u02d8\u02d9\u02da\u02db\u02dc\u02dd\u037a\u0384\u0385\u1fbd\u1fbf\u1fc0\u1fc1\u1fcd' +
  '\u1fce\u1fcf\u1fdd\u1fde\u1fdf\u1fed\u1fee\u1ffd\u1ffe'

/**
 * Accents of Latin, Greek and Cyrillic, vowel points of Hebrew, Arabic and Syriac with the tatweel, variation
 * selectors, and characters without a shape of their own. Marks of other scripts are letters: without its vowel signs,
 * a Hindi name is a different name.
 */
const MARKS =
  '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u061c\\u0640' +
  '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u08ca-\\u08e1' +
  '\\u08e3-\\u08ff\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u00ad\\u200b-\\u200f\\u202a-\\u202e' +
  '\\u2060-\\u2064\\u2066-\\u2069\\ufe00-\\ufe0f\\ufeff'

/** Letters that do not decompose, and digits, with what people type instead. Lower case only. */
const LETTERS: readonly [from: string, to: string][] = [
  ['øłđðħŧıŋəɛɔɓɗƙƴɖƒɨʉǝʋƶǥɲȷĸ', 'olddhtineeobdkydfiuevzgnjk'],
  ['ςٱىیکةہھ', 'σاييكههه'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
]

/** Letters for which people type two. */
const DIGRAPHS: readonly [from: string, to: string][] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
]

/** Hyphens, commas and similar characters, which separate words. */
const SEPARATORS = '-,;\u05be\u060c\u061b\u2010\u2012\u2013\u2014\u2015\u2043\u2212\u3001\u30fb'

/** Apostrophes and quotation marks of all kinds, and the dot of the Catalan `l·l`. */
const LEFT_OUT =
  '\'`"\u00ab\u00b7\u00bb\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u05f4\u07f4\u07f5' +
  '\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2035\u2039\u203a\ua78b\ua78c'

const OTHERS = new Map<string, string>([
  ...LETTERS.flatMap(([from, to]) => [...from].map((letter, at): [string, string] => [letter, to[at] ?? ''])),
  ...DIGRAPHS,
  ...[...SEPARATORS].map((one): [string, string] => [one, ' ']),
  ...[...LEFT_OUT].map((one): [string, string] => [one, '']),
])
const among = (characters: Iterable<string>) =>
  new RegExp(`[${[...characters].join('').replace(/[\\\]-]/g, '\\$&')}]`, 'g')
const ACCENTS = among(SPACING_ACCENTS)
const MARKED = new RegExp(`[${MARKS}\\u{e0100}-\\u{e01ef}]+`, 'gu')
const OTHER = among(OTHERS.keys())

/** Returns the form of a text that is compared. The caller limits the length of `text`. */
export const searchForm = (text: string): string =>
  text
    .replace(ACCENTS, '')
    .normalize('NFKD')
    .replace(MARKED, '')
    .toLowerCase()
    .replace(OTHER, (one) => OTHERS.get(one) ?? '')

/** Maximum number of words to look for; more words hardly narrow a search down. */
const WORDS_MAX = 10

/** Returns the longest words to look for, in any order. A word with a hyphen contains a space, and stays together. */
export function searchWords(text: string): string[] {
  const words = text.split(/\s+/u).map((word) => searchForm(word).trim().replace(/\.+$/, ''))
  return [...new Set(words)]
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length)
    .slice(0, WORDS_MAX)
}

/** Whether a text, such as the label of an option, has every word of another. */
export function hasSearchWords(text: string, sought: string): boolean {
  const form = searchForm(text)
  return searchWords(sought).every((word) => form.includes(word))
}
