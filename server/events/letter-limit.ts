import type { Db } from '../db/connection.ts'

export interface Letter {
  /** `null` if the caller does not belong to a business. */
  businessId: string | null
  recipient: string
}

/**
 * Limits the e-mails of all kinds that people and servers of one business can cause to one recipient. The count is
 * rolled back with the caller's transaction.
 *
 * @see LTR-13
 */
export interface LetterLimit {
  /** Counts an e-mail. @throws ApiError `rate_limited` for the sixth in an hour */
  require(tx: Db, letter: Letter): Promise<void>
  /** Counts an e-mail. @returns `false` for the sixth in an hour, which must not be sent */
  admits(tx: Db, letter: Letter): Promise<boolean>
}

/** Used if `RIALTO_RATE_LIMITS=off`. */
export const noLetterLimit: LetterLimit = { require: async () => {}, admits: async () => true }
