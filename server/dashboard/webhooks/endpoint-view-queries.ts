import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { firstIdAt } from '../../lib/ids.ts'

/** How the deliveries of an endpoint go. Times are real time. */
export interface EndpointView {
  endpointId: string
  attempts: number
  successes: number
  p95Ms: number | null
  lastAttemptAt: Date | null
  lastResponseStatus: number | null
  bothSecretsUntil: Date | null
}

/** Maximum number of attempts that are read: of a business with more in a day, the newest ones. */
const ATTEMPTS_MAX = 20_000

/**
 * Returns the figures of all endpoints of a business, or of one.
 *
 * @param since the figures count the attempts of events recorded since then
 */
export async function findEndpointViews(
  db: Db,
  { businessId, since, now }: { businessId: string; since: Date; now: Date },
  endpointId: string | null = null,
): Promise<EndpointView[]> {
  const { rows } = await sql<EndpointView>`with recent as (
      select endpoint_id, duration_ms, response_status between 200 and 299 as is_success
      from webhook_attempt
      where business_id = ${businessId}::uuid and event_id >= ${firstIdAt(since)}::uuid
      order by event_id desc limit ${ATTEMPTS_MAX}
    ), figures as (
      select endpoint_id, count(*)::int as attempts, (count(*) filter (where is_success))::int as successes,
        percentile_disc(0.95) within group (order by duration_ms) as p95
      from recent group by endpoint_id
    )
    select w.id as "endpointId", coalesce(f.attempts, 0) as attempts, coalesce(f.successes, 0) as successes,
      f.p95 as "p95Ms", last.attempted_at as "lastAttemptAt", last.response_status as "lastResponseStatus",
      case when w.previous_secret_until > ${now}::timestamptz then w.previous_secret_until end as "bothSecretsUntil"
    from webhook_endpoint w
    left join figures f on f.endpoint_id = w.id
    left join lateral (
      select a.attempted_at, a.response_status from webhook_attempt a
      where a.business_id = w.business_id and a.endpoint_id = w.id
      order by a.event_id desc, a.number desc limit 1
    ) last on true
    where w.business_id = ${businessId}::uuid and w.deleted_at is null
      and (${endpointId}::uuid is null or w.id = ${endpointId}::uuid)`.execute(db)
  return rows
}
