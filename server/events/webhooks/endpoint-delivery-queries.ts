import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'

/** Number of deliveries that one statement changes: a long statement would be cut off, and would hold its locks. */
const PORTION = 1_000

const CANCEL = statement(
  'cancel_deliveries',
  (p) => `with waiting as (
      select business_id, event_id, endpoint_id from webhook_delivery
      where business_id = ${p.businessId}::uuid and endpoint_id = ${p.id}::uuid and due_at is not null
      order by due_at, event_id limit ${PORTION} for update
    )
    update webhook_delivery d
    set status = 'canceled', due_at = null, finished_at = ${p.at}::timestamptz, lease_epoch = d.lease_epoch + 1
    from waiting w
    where d.business_id = w.business_id and d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
    returning d.event_id as id`,
)

/**
 * Cancels everything that waits for an endpoint, in portions. The result of an attempt in progress is then not
 * recorded, because the delivery has a later epoch.
 */
export async function cancelDeliveries(
  db: Db,
  { businessId, id, at }: { businessId: string; id: string; at: Date },
): Promise<void> {
  for (;;) {
    const canceled = await run(db, CANCEL, { businessId, id, at })
    if (canceled.length < PORTION) return
  }
}
