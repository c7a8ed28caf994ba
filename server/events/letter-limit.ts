import type { Db } from '../db/connection.ts'

export interface Letter {
  /** `null`: of callers who are nobody's. */
  businessId: string | null
  recipient: string
}

/**
 * Bounds the letters that people and servers of one business can cause to one recipient, of every kind together. The
 * count is rolled back with the caller's transaction.
 *
 * @see LTR-13
 */
export interface LetterLimit {
  /** Counts a letter. @throws ApiError `rate_limited` for the sixth in an hour */
  require(tx: Db, letter: Letter): Promise<void>
  /** Counts it too. @returns `false` for the sixth in an hour, which is to be left out */
  admits(tx: Db, letter: Letter): Promise<boolean>
}

/** For `RIALTO_RATE_LIMITS=off`. */
export const noLetterLimit: LetterLimit = { require: async () => {}, admits: async () => true }
