import { type RawBuilder, sql } from 'kysely'
import type { Metadata } from '../../contract/formats.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import { insertEventFrom } from '../events/event-queries.ts'
import type { Customer, NewCustomer } from './customer.ts'
import { customerCreated } from './customer-events.ts'

const COLUMNS = [
  'id',
  'name',
  'email',
  'phone',
  'created_at as createdAt',
  sql<Metadata>`metadata`.as('metadata'),
] as const

const customersOf = (db: Db, businessId: string) =>
  db.selectFrom('customer').select(COLUMNS).where('business_id', '=', businessId)

export async function customerExists(db: Db, businessId: string, id: string): Promise<boolean> {
  return (await findCustomer(db, businessId, id)) !== undefined
}

export function findCustomer(db: Db, businessId: string, id: string): Promise<Customer | undefined> {
  return customersOf(db, businessId).where('id', '=', id).executeTakeFirst()
}

/**
 * Until the end of the transaction nobody else changes it. Whoever has the e-mail that it is to get is locked as well, in the
 * order of ids, so that two customers who exchange theirs wait for each other one way only.
 */
export async function lockCustomer(
  tx: Tx,
  { businessId, id, email }: { businessId: string; id: string; email: string | null | undefined },
): Promise<Customer | undefined> {
  const found = await customersOf(tx, businessId)
    .where(({ or, eb }) =>
      or([eb('id', '=', id), ...(email ? [eb('email_folded', '=', sql<string>`lower(${email})`)] : [])]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return found.find((customer) => customer.id === id)
}

export function listCustomers(db: Db, businessId: string, page: PageRequest): Promise<Page<Customer>> {
  return readPage(db, { table: 'customer', businessId, query: customersOf(db, businessId) }, page)
}

/**
 * The members `known`, `made` and `payer` of a `with`: the known customer of that e-mail, neither changed nor locked, or one that
 * is inserted from the source; `payer` has it either way, also when two requests make it at once: the second then waits for
 * the first, and finds its row by the conflict.
 *
 * @param source without rows, nobody is the payer
 */
export function payerMembers(customer: NewCustomer, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const { businessId, id, name, email, phone, metadata, createdAt } = customer
  return sql`
    known as (
      select id, name, email, phone, metadata, created_at from customer
      where business_id = ${businessId}::uuid and email_folded = lower(${email}::text) and exists (select from ${source})
    ),
    made as (
      insert into customer (business_id, id, name, email, email_folded, phone, metadata, created_at, updated_at)
      select ${businessId}::uuid, ${id}::uuid, ${name}::text, ${email}::text, lower(${email}::text), ${phone}::text,
        ${JSON.stringify(metadata)}::jsonb, ${createdAt}::timestamptz, ${createdAt}::timestamptz
      from ${source} where not exists (select from known)
      on conflict (business_id, email_folded) where email_folded is not null do update set updated_at = customer.updated_at
      returning id, name, email, phone, metadata, created_at
    ),
    payer as (select * from known union all select * from made)`
}

/** `insert into event … from <payer>`, whose `id` is the customer: only when that is the new one. */
export function insertCustomerCreatedFrom(customer: NewCustomer, payer: RawBuilder<unknown>): RawBuilder<unknown> {
  return insertEventFrom(customerCreated(customer), sql`${payer} as payer where payer.id = ${customer.id}::uuid`)
}

/** The known customer of that e-mail, or a new one; also when two requests say it at once. */
export async function findOrInsertCustomer(
  db: Db,
  customer: NewCustomer,
): Promise<{ customer: Customer; created: boolean }> {
  const { rows } = await sql<Customer>`
    with ${payerMembers(customer, sql`(select 1) as one`)},
      recorded as (${insertCustomerCreatedFrom(customer, sql`payer`)})
    select id, name, email, phone, metadata, created_at as "createdAt" from payer`.execute(db)
  const [found] = rows
  if (!found) throw new Error(`The customer ${customer.id} was neither found nor made`)
  return { customer: found, created: found.id === customer.id }
}

/** Writes a locked customer as it is now, and what happened. */
export async function updateCustomer(tx: Tx, customer: Customer, event: NewEvent): Promise<void> {
  const { id, name, email, phone, metadata } = customer
  await sql`
    with changed as (
      update customer set name = ${name}, email = ${email}::text, email_folded = lower(${email}::text), phone = ${phone}, metadata = ${JSON.stringify(metadata)}::jsonb,
        updated_at = ${event.createdAt}
      where business_id = ${event.businessId}::uuid and id = ${id}::uuid
      returning id
    )
    ${insertEventFrom(event, sql`changed`)}`.execute(tx)
}
