import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'

/** Why an endpoint is disabled by the service. */
export type DisableReason = 'gone' | 'failing'

/** @returns its URL; undefined when it was disabled or deleted before */
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

const PORTION = 1_000

/** Cancels what waits for an endpoint, in portions. An attempt that is under way is not recorded then. */
export async function cancelWaiting(
  tx: Tx,
  { businessId, id, at }: { businessId: string; id: string; at: Date },
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`update webhook_delivery d
      set status = 'canceled', due_at = null, finished_at = ${at}, lease_epoch = d.lease_epoch + 1
      where d.business_id = ${businessId}::uuid and d.ctid = any(array(
        select w.ctid from webhook_delivery w
        where w.business_id = ${businessId}::uuid and w.endpoint_id = ${id}::uuid and w.due_at is not null
        order by w.due_at, w.event_id limit ${PORTION} for update
      ))`.execute(tx)
    if ((numAffectedRows ?? 0n) < PORTION) return
  }
}
