import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { insertEventFrom } from '../events/event-queries.ts'
import { customerCreated } from './customer-events.ts'

export interface Customer {
  id: string
  name: string | null
  email: string | null
  phone: string | null
}

const COLUMNS = ['id', 'name', 'email', 'phone'] as const

export async function customerExists(db: Db, businessId: string, id: string): Promise<boolean> {
  return (await findCustomer(db, businessId, id)) !== undefined
}

export function findCustomer(db: Db, businessId: string, id: string): Promise<Customer | undefined> {
  return db
    .selectFrom('customer')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface NewCustomer {
  businessId: string
  id: string
  name: string | null
  email: string | null
  phone: string | null
  createdAt: Date
}

/**
 * `insert into customer … from <source>`: the known customer of that e-mail, unchanged, or a new one; its id is returned
 * either way, also when two requests make it at once.
 */
export function insertCustomerFrom(customer: NewCustomer, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const { businessId, id, name, email, phone, createdAt } = customer
  return sql`insert into customer (business_id, id, name, email, phone, created_at, updated_at)
    select ${businessId}::uuid, ${id}::uuid, ${name}::text, ${email}::text, ${phone}::text, ${createdAt}::timestamptz,
      ${createdAt}::timestamptz
    from ${source}
    on conflict (business_id, email_folded) where email_folded is not null do update set updated_at = customer.updated_at
    returning id`
}

/** `insert into event … from <payer>`, whose `id` is the customer: only when that is the new one. */
export function insertCustomerCreatedFrom(customer: NewCustomer, payer: RawBuilder<unknown>): RawBuilder<unknown> {
  return insertEventFrom(customerCreated(customer), sql`${payer} as payer where payer.id = ${customer.id}::uuid`)
}

/** The known customer of that e-mail, or a new one; also when two requests say it at once. */
export async function findOrInsertCustomer(db: Db, customer: NewCustomer): Promise<{ id: string; created: boolean }> {
  const { rows } = await sql<{ id: string }>`
    with payer as (${insertCustomerFrom(customer, sql`(select 1) as one`)}),
      recorded as (${insertCustomerCreatedFrom(customer, sql`payer`)})
    select id from payer`.execute(db)
  const id = rows[0]?.id ?? customer.id
  return { id, created: id === customer.id }
}
