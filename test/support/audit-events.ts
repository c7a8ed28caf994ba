import type { AuditInput } from './audit.ts'

// AUD-15: whether the events and their deliveries agree.

export interface EventFault {
  subject: string
  detail: string
}

/** Returns SQL for the creation time of an id, in milliseconds since 1970: ids are UUIDv7. */
const msOf = (id: string) => `('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`

/** Tolerance: an endpoint may be created in a transaction that an event does not see. */
const MARGIN_MS = 1_000

/** Gaps in the sequence of an object. Its first events may have been deleted, because they were old. */
const GAPS = `select object_id as subject, 'events ' || array_agg(sequence order by sequence)::text as detail from event
  group by business_id, object_id having max(sequence) - min(sequence) + 1 <> count(*)`

const UNDELIVERED = `select e.id as subject, e.type || ' has no delivery to ' || w.id as detail
  from event e join webhook_endpoint w on w.business_id = e.business_id
  where w.status = 'enabled' and w.deleted_at is null and w.enabled_events && array['*', e.type] and e.type <> 'ping'
    and ${msOf('e.id')} - ${MARGIN_MS} > greatest(${msOf('w.id')}, extract(epoch from w.updated_at) * 1000)
    and not exists (select from webhook_delivery d
      where d.business_id = e.business_id and d.event_id = e.id and d.endpoint_id = w.id)`

const WITHOUT_EVENT = `select d.event_id as subject, 'a delivery without its event' as detail from webhook_delivery d
  where not exists (select from event e where e.business_id = d.business_id and e.id = d.event_id
    and (e.object_id, e.sequence) = (d.object_id, d.sequence))`

export async function readEventFaults(query: AuditInput['query']): Promise<EventFault[]> {
  return (await query(`${GAPS} union all ${UNDELIVERED} union all ${WITHOUT_EVENT}`)) as EventFault[]
}
