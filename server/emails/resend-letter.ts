import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { newId } from '../lib/ids.ts'
import { findLetter, insertLetters } from './letter-queries.ts'

/**
 * Sends a letter once more, as it was composed, to the same recipient: as a letter of its own.
 *
 * @returns its id; `null` when there is no such letter
 */
export async function resendLetter(tx: Tx, businessId: string, id: string, createdAt: Date): Promise<string | null> {
  const letter = await findLetter(tx as Db, businessId, id)
  if (!letter) return null
  const again = { ...letter, id: newId(), notificationId: newId(), createdAt }
  await insertLetters(tx, [again])
  return again.id
}
