/**
 * Inserted between the characters that would make mail programs create a link. It is invisible and prevents line
 * breaks.
 */
const WORD_JOINER = '\u2060'
const LINK_LIKE = /(?<=[\p{L}\p{N}-])\.(?=[\p{L}\p{N}-]*\p{L})|:(?=\/\/)/gu
const ONE_ADDRESS = /^[^\s@/]+@[^\s@/]+$/

/**
 * Returns the text unchanged to the eye, but without anything that mail programs turn into links. Letters contain names
 * of businesses, customers and products, and whoever chooses a name such as `evil.example/pay` must not place a link in
 * our letters.
 *
 * @see LTR-36
 */
export const unlinked = (text: string): string =>
  text.replace(/\S+/gu, (word) => (ONE_ADDRESS.test(word) ? word : word.replace(LINK_LIKE, `$&${WORD_JOINER}`)))
