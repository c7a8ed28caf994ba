import { sql } from 'kysely'
import type { CustomerContract, CustomerPayment, CustomerSession } from '../../../contract/dashboard/customers-api.ts'
import type { Db } from '../../db/connection.ts'

// What a page about one customer shows, newest first. Instants are epoch seconds.

interface Of {
  businessId: string
  customerId: string
  limit: number
}

const seconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}))::integer`)

/** A card on file, with what it may still be used for. */
export interface DetailedCard {
  id: string
  customerId: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  createdAt: Date
  detachedAt: Date | null
  nameOnCard: string | null
  funding: 'credit' | 'debit' | 'prepaid' | 'unknown'
  chargeBlock: string | null
  subscriptions: number
}

const CARD = sql`k.id, k.customer_id as "customerId", k.brand, k.last4, k.exp_month as "expMonth", k.exp_year as "expYear",
  k.created_at as "createdAt", k.detached_at as "detachedAt", k.name_on_card as "nameOnCard", k.funding,
  k.charge_block as "chargeBlock",
  (select count(*)::integer from subscription s where s.business_id = k.business_id and s.stored_card_id = k.id
    and s.status in ('active', 'paused')) as subscriptions`

export async function listCardsOf(db: Db, { businessId, customerId, limit }: Of): Promise<DetailedCard[]> {
  const { rows } = await sql<DetailedCard>`select ${CARD} from stored_card k
    where k.business_id = ${businessId}::uuid and k.customer_id = ${customerId}::uuid and k.detached_at is null
    order by k.created_at desc, k.id desc limit ${limit}`.execute(db)
  return rows
}

/** Also a detached one. */
export async function findDetailedCard(db: Db, businessId: string, id: string): Promise<DetailedCard | undefined> {
  const { rows } = await sql<DetailedCard>`select ${CARD} from stored_card k
    where k.business_id = ${businessId}::uuid and k.id = ${id}::uuid`.execute(db)
  return rows[0]
}

export async function listPaymentsOf(db: Db, { businessId, customerId, limit }: Of): Promise<CustomerPayment[]> {
  const { rows } = await sql<CustomerPayment>`
    select id, status, amount, refunded_amount, currency, card_brand as brand, card_last4 as last4, code,
      subscription_id as subscription, session_id as session, ${seconds('created_at')} as created
    from payment where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Those that the merchant bound to the customer.
 *
 * @param now in the business's time: one past its expiry is shown as expired before the job has closed it
 */
export async function listSessionsOf(db: Db, { businessId, customerId, limit, now }: Of & { now: Date }) {
  const { rows } = await sql<CustomerSession>`
    select id, case when status = 'PENDING' and expires_at <= ${now}::timestamptz and overdue_at is null then 'EXPIRED'
        else status::text end as status,
      amount_total, currency, description, ${seconds('created_at')} as created
    from checkout_session where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function listContractsOf(db: Db, { businessId, customerId, limit }: Of): Promise<CustomerContract[]> {
  const { rows } = await sql<CustomerContract>`
    select id, title, status, ${seconds('created_at')} as created, (select s.id from subscription s
      where s.business_id = contract.business_id and s.contract_id = contract.id) as subscription
    from contract where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
