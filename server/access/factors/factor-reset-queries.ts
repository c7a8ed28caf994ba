import type { Tx } from '../../db/transaction.ts'

/** @returns when the reset is due: one that was asked for earlier stays as it is */
export async function insertReset(
  tx: Tx,
  { userId, requestedBy, dueAt, now }: { userId: string; requestedBy: string; dueAt: Date; now: Date },
): Promise<Date> {
  const row = await tx
    .insertInto('factor_reset')
    .values({ user_id: userId, requested_by: requestedBy, due_at: dueAt, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ requested_by: requestedBy }))
    .returning('due_at')
    .executeTakeFirstOrThrow()
  return row.due_at
}

/** @returns whether there was one whose time has come; now it is gone */
export async function takeDueReset(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('factor_reset')
    .where('user_id', '=', userId)
    .where('due_at', '<=', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteReset(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('factor_reset').where('user_id', '=', userId).execute()
}
