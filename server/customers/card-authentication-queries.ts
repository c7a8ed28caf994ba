import type { Db } from '../db/connection.ts'

/**
 * Stores the authentication with which the customer agreed to charges of a card that was stored earlier. Those charges
 * refer to it.
 */
export async function setCardAuthentication(
  db: Db,
  { businessId, id, dsTransactionId }: { businessId: string; id: string; dsTransactionId: string },
): Promise<void> {
  await db
    .updateTable('stored_card')
    .set({ ds_transaction_id: dsTransactionId })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .execute()
}
