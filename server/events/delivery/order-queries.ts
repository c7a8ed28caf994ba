import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'
import type { ClaimedDelivery } from './delivery.ts'

/**
 * Locks endpoints until the end of the transaction, so that the second of two workers sees what the first one has
 * written. Recording an event never waits for this lock.
 */
export async function lockEndpoints(tx: Tx, businessId: string, endpointIds: readonly string[]): Promise<void> {
  await sql`select from webhook_endpoint where business_id = ${businessId}::uuid and id = any(${endpointIds}::uuid[])
    order by id for no key update`.execute(tx)
}

type InOrder = Pick<ClaimedDelivery, 'eventId' | 'endpointId' | 'objectId' | 'sequence' | 'epoch'>

const rowsOf = (deliveries: readonly InOrder[]) => {
  const rows = deliveries.map(({ eventId, endpointId, objectId, sequence, epoch }) => ({
    event_id: eventId,
    endpoint_id: endpointId,
    object_id: objectId,
    sequence,
    epoch,
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as one(event_id uuid, endpoint_id uuid, object_id uuid, sequence integer, epoch integer)`
}

/**
 * Holds back claimed deliveries whose object has an earlier delivery that still waits. The endpoints must be locked.
 *
 * @param until when they are checked again, in case nobody releases them
 * @returns events and endpoints of the deliveries that were held back
 * @see EVT-13
 */
export async function holdBack(
  tx: Tx,
  businessId: string,
  deliveries: readonly InOrder[],
  until: Date,
): Promise<Pick<ClaimedDelivery, 'eventId' | 'endpointId'>[]> {
  const { rows } = await sql<Pick<ClaimedDelivery, 'eventId' | 'endpointId'>>`
    update webhook_delivery d set due_at = ${until}
    from ${rowsOf(deliveries)}
    where d.business_id = ${businessId}::uuid and d.event_id = one.event_id and d.endpoint_id = one.endpoint_id
      and d.lease_epoch = one.epoch and exists (
        select from webhook_delivery earlier
        where earlier.business_id = ${businessId}::uuid and earlier.endpoint_id = one.endpoint_id
          and earlier.object_id = one.object_id and earlier.sequence < one.sequence
          and earlier.ordered and earlier.due_at is not null
      )
    returning d.event_id as "eventId", d.endpoint_id as "endpointId"`.execute(tx)
  return rows
}

/**
 * Makes due the next delivery of each object that waited for one of these finished deliveries. The endpoints must be
 * locked.
 *
 * @param leaseEnd later than the end of every lease: deliveries claimed by another worker are left to it
 */
export async function releaseNext(
  tx: Tx,
  businessId: string,
  finished: readonly InOrder[],
  leaseEnd: Date,
): Promise<void> {
  await sql`update webhook_delivery d set due_at = '-infinity'
    from ${rowsOf(finished)} cross join lateral (
      select later.event_id from webhook_delivery later
      where later.business_id = ${businessId}::uuid and later.endpoint_id = one.endpoint_id
        and later.object_id = one.object_id and later.sequence > one.sequence
        and later.ordered and later.due_at is not null
      order by later.sequence limit 1
    ) as next
    where d.business_id = ${businessId}::uuid and d.event_id = next.event_id and d.endpoint_id = one.endpoint_id
      and d.due_at > ${leaseEnd}`.execute(tx)
}
