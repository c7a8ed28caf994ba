/** Maximum number of stacked marks; no script of a living language needs more. */
const MARKS_MAX = 30
export const TOO_MANY_MARKS = `must have at most ${MARKS_MAX} combining marks in a row`

/** Rows of marks, and of letters that a compatibility form decomposes into marks. */
const RUNS_OF_MARKS = /[\p{M}\u0e33\u0eb3\uff9e\uff9f]+/gu
/** Characters from the first mark on. Most texts have none. */
const FROM_FIRST_MARK = /[\u0300-\uffff]/

/**
 * Whether a text has too many marks to be normalized. Normalizing sorts a row of combining marks in time that grows
 * with the square of its length: 60 kB of them would take seconds.
 */
export function hasTooManyMarks(text: string): boolean {
  if (text.length <= MARKS_MAX || !FROM_FIRST_MARK.test(text)) return false
  for (const [run] of text.matchAll(RUNS_OF_MARKS))
    if (run.length > MARKS_MAX && [...run].length > MARKS_MAX) return true
  return false
}
