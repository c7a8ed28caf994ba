import { sql } from 'kysely'
import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import type { Db } from '../../db/connection.ts'
import { firstIdAt } from '../../lib/ids.ts'

/**
 * Counts the deliveries that a redelivery would make due, up to 10,001. It has the same condition as the redelivery.
 */
export async function countMissed(db: Db, { businessId, endpointId, since, statuses }: Missed): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from event e
      join webhook_endpoint w on w.business_id = e.business_id and w.id = ${endpointId}::uuid
      left join webhook_delivery d on d.business_id = e.business_id and d.event_id = e.id and d.endpoint_id = w.id
      where e.business_id = ${businessId}::uuid and e.id >= ${firstIdAt(since)}::uuid
        and (d.status::text = any(${[...statuses]}::text[])
          or (d.event_id is null and 'missing' = any(${[...statuses]}::text[])
            and e.type <> 'ping' and w.enabled_events && array['*', e.type]))
      limit ${TOTAL_MAX + 1}
    ) missed`.execute(db)
  return rows[0]?.count ?? 0
}

interface Missed {
  businessId: string
  endpointId: string
  since: Date
  statuses: readonly string[]
}
