import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

/** @returns the last session of the card link; `null` before the first */
export async function findCardSession(db: Db, businessId: string, subscriptionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('card_link')
    .select('session_id')
    .where('business_id', '=', businessId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return row?.session_id ?? null
}

/** @returns `false` when another request has begun the next session */
export async function moveCardLink(
  tx: Tx,
  { businessId, subscriptionId }: { businessId: string; subscriptionId: string },
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const key = { business_id: businessId, subscription_id: subscriptionId }
  if (from === null) {
    const inserted = await tx
      .insertInto('card_link')
      .values({ ...key, session_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('card_link')
    .set({ session_id: to })
    .where('business_id', '=', businessId)
    .where('subscription_id', '=', subscriptionId)
    .where('session_id', '=', from)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
