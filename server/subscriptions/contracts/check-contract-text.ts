import { invalidField } from '../../lib/errors.ts'

/** So that its PDF, of some 50 pages at most, takes less than half a second of a processor. */
const CHARACTERS_MAX = 100_000
/** Each paragraph after the first takes two. */
const LINES_MAX = 2_000

/** What divides paragraphs, also where the text is printed. */
export const PARAGRAPH_BREAK = /\n[^\S\n]*\n(?:[^\S\n]*\n)*/

/**
 * A text as the customer reads it, with its placeholders filled: a short one may become a long one.
 *
 * @throws ApiError `validation_failed`
 * @see DSH-123
 */
export function checkContractText(text: string): void {
  const found = excessOf(text)
  if (found) throw invalidField('text', found)
}

/** What a text has too much of; `null`: nothing. */
export function excessOf(text: string): string | null {
  if (text.length > CHARACTERS_MAX)
    return `must have at most ${CHARACTERS_MAX} characters when its placeholders are filled; it has ${text.length}`
  const lines = text.split('\n').length
  return lines > LINES_MAX ? `must have at most ${LINES_MAX} lines; it has ${lines}` : null
}
