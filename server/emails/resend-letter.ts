import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { LetterLimit } from '../events/letter-limit.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { LETTER_LINK } from './letter-link.ts'
import { findLetter, insertLetters } from './letter-queries.ts'

/**
 * Sends a letter once more, as it was composed, to the same recipient: as a letter of its own.
 *
 * @returns its id; `null` when there is no such letter
 * @throws ApiError `conflict` for a letter with a code, which is sent once (LTR-110); `rate_limited`
 */
export async function resendLetter(
  tx: Tx,
  { letterLimit }: { letterLimit: LetterLimit },
  { businessId, id, createdAt }: { businessId: string; id: string; createdAt: Date },
): Promise<string | null> {
  const letter = await findLetter(tx as Db, businessId, id)
  if (!letter) return null
  if (letter.linkId === null && letter.html.includes(LETTER_LINK))
    throw new ApiError('conflict', { message: 'The code in this letter is sent once. Ask for a new one.' })
  await letterLimit.require(tx, letter)
  const again = { ...letter, id: newId(), notificationId: newId(), createdAt }
  await insertLetters(tx, [again])
  return again.id
}
