import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import type { Attempt, ClaimedDelivery } from './delivery.ts'
import type { AttemptResult } from './retry-schedule.ts'

/** Attempt of a claimed delivery, with its result. */
export interface MadeAttempt {
  delivery: ClaimedDelivery
  attempt: Attempt
  result: AttemptResult
}

/**
 * Number of attempts that are stored per delivery, the newest: a full retry schedule, plus as many for redeliveries
 * (EVT-112).
 */
const ATTEMPTS_KEPT = 20

/** Records attempts; skips those whose delivery has a later epoch. */
const RECORD = statement(
  'record_attempts',
  (p) => `with made as (
      select * from jsonb_to_recordset(${p.attempts}::jsonb) as made(event_id uuid, endpoint_id uuid, epoch integer,
        status webhook_delivery_status, due_at timestamptz, url text, attempted_at timestamptz, duration_ms integer,
        response_status smallint, response_headers jsonb, response_body text, error text)
    ), recorded as (
      update webhook_delivery d
      set status = made.status, due_at = made.due_at, attempts = d.attempts + 1,
        retries = d.retries + case when made.due_at is null then 0 else 1 end,
        finished_at = case when made.due_at is null then ${p.at}::timestamptz end
      from made
      where d.business_id = ${p.businessId}::uuid and d.event_id = made.event_id
        and d.endpoint_id = made.endpoint_id and d.lease_epoch = made.epoch and d.due_at is not null
      returning d.business_id, d.attempts, made.*
    ), forgotten as (
      delete from webhook_attempt old using recorded r
      where old.business_id = r.business_id and old.event_id = r.event_id and old.endpoint_id = r.endpoint_id
        and old.number <= r.attempts - ${ATTEMPTS_KEPT}
    )
    insert into webhook_attempt (business_id, event_id, endpoint_id, number, url, attempted_at, duration_ms,
      response_status, response_headers, response_body, error)
    select business_id, event_id, endpoint_id, attempts, url, attempted_at, duration_ms, response_status,
      response_headers, response_body, error
    from recorded`,
)

/** Records attempts of deliveries of one business, each unless the delivery has been claimed again. */
export async function recordAttempts(
  db: Db,
  { businessId, made, at }: { businessId: string; made: readonly MadeAttempt[]; at: Date },
): Promise<void> {
  const attempts = made.map(({ delivery, attempt, result }) => ({
    event_id: delivery.eventId,
    endpoint_id: delivery.endpointId,
    epoch: delivery.epoch,
    status: result.status,
    due_at: result.status === 'pending' ? result.dueAt : null,
    url: delivery.url,
    attempted_at: attempt.attemptedAt,
    duration_ms: attempt.durationMs,
    response_status: attempt.response?.status ?? null,
    response_headers: attempt.response?.headers ?? null,
    response_body: attempt.response?.body ?? null,
    error: attempt.error,
  }))
  await run(db, RECORD, { businessId, at, attempts: JSON.stringify(attempts) })
}

/** What the latest attempts say about an endpoint. */
export interface EndpointHealth {
  endpointId: string
  hasSucceeded: boolean
  /** Time of the first failure since the last success, among those attempts. */
  failedAt: Date | null
}

/** Records since when endpoints have been failing. */
export async function recordHealth(db: Db, businessId: string, health: readonly EndpointHealth[]): Promise<void> {
  await sql`update webhook_endpoint w
    set failing_since = case when h."hasSucceeded" then h."failedAt" else coalesce(w.failing_since, h."failedAt") end
    from jsonb_to_recordset(${JSON.stringify(health)}::jsonb)
      as h("endpointId" uuid, "hasSucceeded" boolean, "failedAt" timestamptz)
    where w.business_id = ${businessId}::uuid and w.id = h."endpointId"`.execute(db)
}
