/**
 * Line breaks and other control characters, including those of Unicode, and the marks that change the direction of
 * text.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/**
 * Returns a text that may be part of a header: one line, no control characters, at most `max` characters. The encoder
 * of the header quotes everything else.
 *
 * @see LTR-13
 */
export function headerText(text: string, max: number): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}
