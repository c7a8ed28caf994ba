import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

/** Number of redeliveries to an endpoint within a minute. */
export interface CountedMinute {
  endpointId: string
  /** First instant of the minute. */
  minute: Date
  deliveries: number
}

interface Receivers {
  businessId: string
  type: string
  /** `null` means all endpoints that receive the type. */
  endpointId: string | null
}

/**
 * Locks the enabled endpoints that an event goes to until the end of the transaction. They are locked in a fixed order,
 * and before any of their deliveries, as in the recording of attempts. Recording an event never waits for this lock.
 */
export async function lockReceivers(tx: Tx, { businessId, type, endpointId }: Receivers): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from webhook_endpoint
    where business_id = ${businessId}::uuid and status = 'enabled' and deleted_at is null
      and (id = ${endpointId}::uuid or (${endpointId}::uuid is null and enabled_events && array['*', ${type}]))
    order by id for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

interface Span {
  businessId: string
  endpointIds: readonly string[]
  /** Both exclusive. */
  after: Date
  before: Date
}

/** Returns the counted minutes, oldest first. */
export async function findCountedMinutes(db: Db, span: Span): Promise<CountedMinute[]> {
  const { businessId, endpointIds, after, before } = span
  const { rows } = await sql<CountedMinute>`select endpoint_id as "endpointId", minute, deliveries
    from webhook_redelivery
    where business_id = ${businessId}::uuid and endpoint_id = any(${[...endpointIds]}::uuid[])
      and minute > ${after}::timestamptz and minute < ${before}::timestamptz
    order by minute`.execute(db)
  return rows
}

/** Adds the same number of deliveries to a minute of each of the locked endpoints. */
export async function countRedeliveries(
  tx: Tx,
  counted: { businessId: string; endpointIds: readonly string[]; minute: Date; deliveries: number },
): Promise<void> {
  const { businessId, endpointIds, minute, deliveries } = counted
  await sql`insert into webhook_redelivery as counted (business_id, endpoint_id, minute, deliveries)
    select ${businessId}::uuid, id, ${minute}::timestamptz, ${deliveries}::int
    from unnest(${[...endpointIds]}::uuid[]) as id order by id
    on conflict (business_id, endpoint_id, minute) do update
    set deliveries = counted.deliveries + excluded.deliveries`.execute(tx)
}

/** Deletes minutes that no longer count, including those left by a clock that ran ahead. */
export async function forgetRedeliveries(db: Db, { after, before }: Pick<Span, 'after' | 'before'>): Promise<void> {
  await sql`delete from webhook_redelivery
    where minute <= ${after}::timestamptz or minute >= ${before}::timestamptz`.execute(db)
}
