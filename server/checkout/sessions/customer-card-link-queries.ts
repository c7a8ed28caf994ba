import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

interface OfCustomer {
  businessId: string
  customerId: string
}

/** @returns the last session of the link; `null` before the first */
export async function findSetupSession(db: Db, { businessId, customerId }: OfCustomer): Promise<string | null> {
  const row = await db
    .selectFrom('customer_card_link')
    .select('session_id')
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.session_id ?? null
}

/** @returns `false` when another request has begun the next session */
export async function moveCustomerCardLink(
  tx: Tx,
  { businessId, customerId }: OfCustomer,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const key = { business_id: businessId, customer_id: customerId }
  if (from === null) {
    const inserted = await tx
      .insertInto('customer_card_link')
      .values({ ...key, session_id: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('customer_card_link')
    .set({ session_id: to })
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('session_id', '=', from)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
