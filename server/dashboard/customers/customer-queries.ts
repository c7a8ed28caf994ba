import { sql } from 'kysely'
import type { CustomerContract } from '../../../contract/dashboard/customers-api.ts'
import type { Db } from '../../db/connection.ts'

// Queries for what the page of one customer shows, newest first. Instants are epoch seconds.

interface Of {
  businessId: string
  customerId: string
  limit: number
}

const seconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}))::integer`)

/** A card on file, and what it may still be used for. */
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

/** Finds a card, even a detached one. */
export async function findDetailedCard(db: Db, businessId: string, id: string): Promise<DetailedCard | undefined> {
  const { rows } = await sql<DetailedCard>`select ${CARD} from stored_card k
    where k.business_id = ${businessId}::uuid and k.id = ${id}::uuid`.execute(db)
  return rows[0]
}

export async function listContractsOf(db: Db, { businessId, customerId, limit }: Of): Promise<CustomerContract[]> {
  const { rows } = await sql<CustomerContract>`
    select id, title, status, ${seconds('created_at')} as created, (select s.id from subscription s
      where s.business_id = contract.business_id and s.contract_id = contract.id) as subscription
    from contract where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
