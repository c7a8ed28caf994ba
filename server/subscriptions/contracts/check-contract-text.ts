import { invalidField } from '../../lib/errors.ts'

/** Limit that keeps the PDF (about 50 pages at most) below half a second of CPU time. */
const CHARACTERS_MAX = 100_000
/** Limit of lines. Each paragraph after the first takes two. */
const LINES_MAX = 2_000

/** Separator of paragraphs, also in print. */
export const PARAGRAPH_BREAK = /\n[^\S\n]*\n(?:[^\S\n]*\n)*/

/**
 * Checks a text as the customer reads it, with its placeholders filled, since filling them may make a short text long.
 *
 * @throws ApiError `validation_failed`
 * @see DSH-123
 */
export function checkContractText(text: string): void {
  const found = excessOf(text)
  if (found) throw invalidField('text', found)
}

/** Returns which limit a text exceeds; `null` if none. */
export function excessOf(text: string): string | null {
  if (text.length > CHARACTERS_MAX)
    return `must have at most ${CHARACTERS_MAX} characters when its placeholders are filled; it has ${text.length}`
  const lines = text.split('\n').length
  return lines > LINES_MAX ? `must have at most ${LINES_MAX} lines; it has ${lines}` : null
}
