import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'

/** Why the service disabled an endpoint. */
export type DisableReason = 'gone' | 'failing'

/** @returns the URL of the endpoint; `undefined` if it was already disabled or deleted */
export async function disableEndpoint(
  tx: Tx,
  { businessId, id, reason, at }: { businessId: string; id: string; reason: DisableReason; at: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ url: string }>`update webhook_endpoint
    set status = 'disabled', disabled_reason = ${reason}, updated_at = ${at}
    where business_id = ${businessId}::uuid and id = ${id}::uuid and status = 'enabled' and deleted_at is null
    returning url`.execute(tx)
  return rows[0]?.url
}
