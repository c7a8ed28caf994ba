/** Between the characters of which mail programs make links. It is invisible, and no line breaks at it. */
const WORD_JOINER = '\u2060'
const LINK_LIKE = /(?<=[\p{L}\p{N}-])\.(?=[\p{L}\p{N}-]*\p{L})|:(?=\/\/)/gu
const ONE_ADDRESS = /^[^\s@/]+@[^\s@/]+$/

/**
 * The text as it reads, without anything that mail programs make links of. Names of businesses, customers and products
 * stand in letters, and whoever chooses a name such as `evil.example/pay` must not place a link in a letter of ours.
 *
 * @see LTR-36
 */
export const unlinked = (text: string): string =>
  text.replace(/\S+/gu, (word) => (ONE_ADDRESS.test(word) ? word : word.replace(LINK_LIKE, `$&${WORD_JOINER}`)))
