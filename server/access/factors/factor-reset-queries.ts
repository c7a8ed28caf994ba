import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'

interface Wanted {
  userId: string
  businessId: string
  requestedBy: string
  dueAt: Date
  now: Date
}

/**
 * Stores a reset.
 *
 * @returns when the reset is due; an earlier request of the business stays unchanged
 */
export async function insertReset(tx: Tx, { userId, businessId, requestedBy, dueAt, now }: Wanted): Promise<Date> {
  const row = await tx
    .insertInto('factor_reset')
    .values({ user_id: userId, business_id: businessId, requested_by: requestedBy, due_at: dueAt, created_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        business_id: businessId,
        requested_by: requestedBy,
        due_at: sql`case when factor_reset.business_id = excluded.business_id
          then factor_reset.due_at else excluded.due_at end`,
      }),
    )
    .returning('due_at')
    .executeTakeFirstOrThrow()
  return row.due_at
}

/**
 * Takes a reset that is due, and deletes it.
 *
 * @returns the business that asked for it; `null` if there was none
 */
export async function takeDueReset(tx: Tx, userId: string, now: Date): Promise<string | null> {
  const row = await tx
    .deleteFrom('factor_reset')
    .where('user_id', '=', userId)
    .where('due_at', '<=', now)
    .returning('business_id as businessId')
    .executeTakeFirst()
  return row?.businessId ?? null
}

export async function deleteReset(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('factor_reset').where('user_id', '=', userId).execute()
}
