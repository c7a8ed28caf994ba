import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import type { ClaimedDelivery } from './delivery.ts'

/** Endpoint with at least one waiting delivery. */
export interface WaitingEndpoint {
  businessId: string
  endpointId: string
  /** Due time of the first delivery; `-Infinity` for a first attempt. */
  dueAt: Date | number
  /** Event of the first delivery. */
  eventId: string
}

/**
 * Takes one index step for each endpoint with waiting deliveries, however many there are. If a parameter is null, all
 * businesses are covered.
 */
const WAITING = statement('waiting_endpoints', () => {
  const first = (after: string) => `select business_id, endpoint_id, due_at, event_id from webhook_delivery
      where due_at is not null ${after} order by business_id, endpoint_id, due_at, event_id limit 1`
  return `with recursive waiting as (
      (${first('')})
      union all
      select next.* from waiting w
        cross join lateral (${first('and (business_id, endpoint_id) > (w.business_id, w.endpoint_id)')}) as next
    )
    select business_id as "businessId", endpoint_id as "endpointId", due_at as "dueAt", event_id as "eventId" from waiting`
})

/** Finds the endpoints of all businesses with waiting deliveries, with the delivery that is due first at each. */
export const findWaitingEndpoints = (db: Db): Promise<WaitingEndpoint[]> => run(db, WAITING, {})

const RECEIVING = statement(
  'receiving_endpoints',
  (p) => `select id from webhook_endpoint
    where business_id = ${p.businessId}::uuid and status = 'enabled' and deleted_at is null order by id`,
)

/** Finds the endpoints that receive events of a business. */
export async function findReceivingEndpoints(db: Db, businessId: string): Promise<string[]> {
  return (await run<{ id: string }>(db, RECEIVING, { businessId })).map(({ id }) => id)
}

/**
 * Finds the rows to take by their location, so that the plan does not depend on the number of deliveries. A row that
 * another worker takes first is left to that worker.
 */
const CLAIM = statement(
  'claim_deliveries',
  (p) => `with claimed as (
      update webhook_delivery d set due_at = ${p.leaseUntil}::timestamptz, lease_epoch = d.lease_epoch + 1
      where d.business_id = ${p.businessId}::uuid and d.ctid = any(array(
        select due.place
        from jsonb_to_recordset(${p.wanted}::jsonb) as wanted("endpointId" uuid, "limit" integer)
        cross join lateral (
          select w.ctid as place from webhook_delivery w
          where w.business_id = ${p.businessId}::uuid and w.endpoint_id = wanted."endpointId"
            and w.due_at <= ${p.now}::timestamptz
          order by w.due_at, w.event_id limit wanted."limit" for update skip locked
        ) as due
      ))
      returning d.*
    )
    select c.business_id as "businessId", c.event_id as "eventId", c.endpoint_id as "endpointId",
      c.object_id as "objectId", c.sequence, c.ordered, c.retries, c.lease_epoch as epoch, c.due_at as "leaseUntil", e.type, e.data,
      e.created_at as "eventCreatedAt", w.url, w.status = 'enabled' and w.deleted_at is null as "isEnabled",
      w.failing_since as "failingSince", w.secret, w.previous_secret as "previousSecret",
      w.previous_secret_until as "previousSecretUntil", w.basic_auth as "basicAuth"
    from claimed c
      join event e on e.business_id = c.business_id and e.id = c.event_id
      join webhook_endpoint w on w.business_id = c.business_id and w.id = c.endpoint_id
    order by c.event_id`,
)

interface Claim {
  businessId: string
  wanted: readonly { endpointId: string; limit: number }[]
  now: Date
  leaseUntil: Date
}

/** Claims what is due at endpoints of a business, for each endpoint at most its limit. */
export function claimDeliveries(db: Db, { wanted, ...claim }: Claim): Promise<ClaimedDelivery[]> {
  return run(db, CLAIM, { ...claim, wanted: JSON.stringify(wanted) })
}
