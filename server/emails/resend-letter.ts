import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { LetterLimit } from '../events/letter-limit.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { LETTER_LINK } from './letter-link.ts'
import { findLetter, insertLetters } from './letter-queries.ts'

interface ResendServices {
  letterLimit: LetterLimit
  /** Whether a link no longer allows anything. @param now in the business's time */
  isEndedLink(db: Db, link: { businessId: string; id: string }, now: Date): Promise<boolean>
}

/**
 * Sends a letter again, as composed, to the same recipient, as a separate letter.
 *
 * @returns its id; `null` if there is no such letter
 * @throws ApiError `conflict` for a letter with a code, which is sent only once (LTR-110), or for one whose link has
 *   ended; `rate_limited`
 */
export async function resendLetter(
  tx: Tx,
  { letterLimit, isEndedLink }: ResendServices,
  { businessId, id, createdAt }: { businessId: string; id: string; createdAt: Date },
): Promise<string | null> {
  const letter = await findLetter(tx as Db, businessId, id)
  if (!letter) return null
  if (letter.linkId === null && letter.html.includes(LETTER_LINK))
    throw new ApiError('conflict', { message: 'The code in this letter is sent once. Ask for a new one.' })
  const { linkId } = letter
  if (linkId !== null && (await isEndedLink(tx, { businessId, id: linkId }, createdAt)))
    throw new ApiError('conflict', { message: 'The link in this letter has ended. Ask the customer for a card again.' })
  await letterLimit.require(tx, letter)
  const again = { ...letter, id: newId(), notificationId: newId(), createdAt }
  await insertLetters(tx, [again])
  return again.id
}
