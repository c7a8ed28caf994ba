/**
 * Line breaks and other control characters, also those of Unicode, and the marks that turn the direction of text
 * around.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/**
 * A text that may be part of a header: one line, no control characters, at most `max` characters. What encodes the
 * header quotes the rest.
 *
 * @see LTR-13
 */
export function headerText(text: string, max: number): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}
