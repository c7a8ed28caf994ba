import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

interface Message {
  businessId: string
  messageId: string
  /** Time of the expiry, in real time. */
  expiresAt: Date
}

const hashOf = (messageId: string): Buffer => createHash('sha256').update(messageId).digest()

/**
 * Marks a message as used. Only one of several concurrent calls succeeds.
 *
 * @returns `false` if the message was already used
 * @see GPY-5
 */
export async function useMessage(db: Db, { businessId, messageId, expiresAt }: Message): Promise<boolean> {
  const row = await db
    .insertInto('google_pay_message')
    .values({ business_id: businessId, message_hash: hashOf(messageId), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('business_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function isMessageUsed(
  db: Db,
  { businessId, messageId }: Pick<Message, 'businessId' | 'messageId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('google_pay_message')
    .select('business_id')
    .where('business_id', '=', businessId)
    .where('message_hash', '=', hashOf(messageId))
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes expired messages, which are refused for their expiry anyway. @returns how many were deleted */
export async function deleteExpiredMessages(db: Db, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`delete from google_pay_message where expires_at < ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
