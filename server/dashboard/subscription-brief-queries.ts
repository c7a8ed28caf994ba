import { type RawBuilder, sql } from 'kysely'
import type { SubscriptionBrief } from '../../contract/dashboard/subscription-brief.ts'
import type { Db } from '../db/connection.ts'

/** What a subscription `s` charges for. */
export const DESCRIPTION = sql<string | null>`(
  select string_agg(d.name || case when (i.item->>'quantity')::integer > 1 then ' \u00d7 ' || (i.item->>'quantity') else '' end,
    ', ' order by i.place)
  from jsonb_array_elements(s.items) with ordinality as i(item, place)
  join price p on p.business_id = s.business_id and p.id = (i.item->>'price')::uuid
  join product d on d.business_id = s.business_id and d.id = p.product_id)`

const COLUMNS = sql`s.id, s.status, coalesce(${DESCRIPTION}, '') as description, s.amount, s.currency,
  s.interval_unit as interval, s.interval_count, s.next_billing_date, s.stored_card_id as payment_method,
  s.contract_id as contract, floor(extract(epoch from s.created_at))::integer as created,
  (select floor(extract(epoch from b.next_attempt_at))::integer from bill b
    where b.business_id = s.business_id and b.subscription_id = s.id and b.status = 'PENDING'
      and b.failed_attempts > 0) as next_retry_at`

/** Lists the subscriptions of a customer, newest first. */
export function listBriefsOfCustomer(db: Db, businessId: string, customerId: string, limit: number) {
  return read(db, businessId, sql`s.customer_id = ${customerId}::uuid`, limit)
}

/** Lists the subscriptions that are charged to a card now or after a pause, newest first. */
export function listBriefsOfCard(db: Db, businessId: string, cardId: string, limit: number) {
  const isCharged = sql`s.stored_card_id = ${cardId}::uuid and s.status in ('active', 'paused')`
  return read(db, businessId, isCharged, limit)
}

export async function findBrief(db: Db, businessId: string, id: string): Promise<SubscriptionBrief | undefined> {
  return (await read(db, businessId, sql`s.id = ${id}::uuid`, 1))[0]
}

async function read(
  db: Db,
  businessId: string,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<SubscriptionBrief[]> {
  const { rows } = await sql<SubscriptionBrief>`select ${COLUMNS} from subscription s
    where s.business_id = ${businessId}::uuid and ${which}
    order by s.created_at desc, s.id desc limit ${limit}`.execute(db)
  return rows
}
