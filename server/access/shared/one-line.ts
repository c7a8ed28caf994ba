import { invalidField } from '../../lib/errors.ts'

const CHARACTERS_MAX = 255

/**
 * Checks a name that people read.
 *
 * @returns the text unchanged
 * @throws ApiError `validation_failed`
 */
export function oneLine(field: string, text: string): string {
  const isLine = text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed()
  if (isLine && [...text].length <= CHARACTERS_MAX) return text
  throw invalidField(field, `must be one line of 1 to ${CHARACTERS_MAX} characters`)
}
