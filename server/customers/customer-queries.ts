import { sql } from 'kysely'
import type { Metadata } from '../../contract/formats.ts'
import type { Locale } from '../../contract/payment-page.ts'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import { formOf, storedForm } from '../db/search.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import { eventValues, firstEventMembers, recordWith } from '../events/event-queries.ts'
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

/** Finds the customer with an email, ignoring case. */
export function findCustomerByEmail(db: Db, businessId: string, email: string): Promise<Customer | undefined> {
  return customersOf(db, businessId).where('email_folded', '=', sql<string>`lower(${email})`).executeTakeFirst()
}

/** Searchable form of email and name. @param alias table alias with its dot; empty for the table itself */
export const customerForm = (alias = '') =>
  sql<string>`coalesce(${sql.raw(alias)}searched, ${formOf(
    sql`coalesce(${sql.raw(alias)}email, '') || ' ' || coalesce(${sql.raw(alias)}name, '')`,
  )})`

const searchText = ({ email, name }: Pick<Customer, 'email' | 'name'>) => `${email ?? ''} ${name ?? ''}`

/** Recipient of e-mails, with their language; `locale` is `null` if it is unknown. */
type Recipient = Pick<Customer, 'name' | 'email'> & { locale: string | null }

export async function findRecipient(db: Db, businessId: string, id: string): Promise<Recipient | undefined> {
  return (await findRecipients(db, businessId, [id])).get(id)
}

const FIND_RECIPIENTS = statement(
  'find_recipients',
  (p) => `select id, name, email, locale from customer
    where business_id = ${p.businessId}::uuid and id = any(${p.ids}::uuid[])`,
)

/** Finds the recipients of e-mails among the customers. @returns the recipients by customer id */
export async function findRecipients(
  db: Db,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Recipient>> {
  const rows = await run<Recipient & { id: string }>(db, FIND_RECIPIENTS, { businessId, ids })
  return new Map(rows.map(({ id, ...recipient }) => [id, recipient]))
}

/**
 * Locks a customer until the end of the transaction, and also the customer who currently has the new email. Rows are
 * locked in the order of their ids, so that two customers who swap emails cannot deadlock.
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

/** @param email limits the list to the customer with this email, ignoring case */
export function listCustomers(
  db: Db,
  businessId: string,
  { email, ...page }: PageRequest & { email?: string },
): Promise<Page<Customer>> {
  const all = customersOf(db, businessId)
  const query = email === undefined ? all : all.where('email_folded', '=', sql<string>`lower(${email})`)
  return readPage(db, { table: 'customer', businessId, query }, page)
}

/**
 * Returns the members `known`, `made`, `payer` and `customer_recorded` of a `with`. `known` is the customer with that
 * email, neither changed nor locked; `made` is a customer inserted from the source, and `customer_recorded` its event.
 * `payer` is one of the two, even for concurrent requests: the second waits for the first and finds its row by the
 * conflict.
 *
 * @param source member from which the customer is inserted; if it has no rows, there is no payer
 */
export function payerMembers(p: Placeholders, source: string): string {
  const columns = 'id, name, email, phone, metadata, created_at'
  return `known as (
      select ${columns} from customer
      where business_id = ${p.businessId}::uuid and email_folded = lower(${p.email}::text) and exists (select from ${source})
    ),
    made as (
      insert into customer (business_id, id, name, email, email_folded, searched, phone, locale, metadata, created_at, updated_at)
      select ${p.businessId}::uuid, ${p.newCustomerId}::uuid, ${p.name}::text, ${p.email}::text, lower(${p.email}::text),
        ${p.searched}::text, ${p.phone}::text, ${p.locale}::text, ${p.metadata}::jsonb, ${p.at}::timestamptz, ${p.at}::timestamptz
      from ${source} where not exists (select from known)
      on conflict (business_id, email_folded) where email_folded is not null do update set updated_at = customer.updated_at
      returning ${columns}
    ),
    payer as (select * from known union all select * from made),
    ${firstEventMembers(p, { source: `payer where payer.id = ${p.newCustomerId}::uuid`, prefix: 'customer' })}`
}

export function payerValues(customer: NewCustomer): Values {
  const { id, name, email, phone, locale = null, metadata } = customer
  const event = eventValues(customerCreated(customer), 'customer')
  return {
    newCustomerId: id,
    name,
    email,
    searched: storedForm(searchText(customer)),
    phone,
    locale,
    metadata: JSON.stringify(metadata),
    ...event,
  }
}

const FIND_OR_INSERT = statement(
  'find_or_insert_customer',
  (p) => `with ${payerMembers(p, '(select 1) as one')}
    select id, name, email, phone, metadata, created_at as "createdAt" from payer`,
)

/** Returns the customer with that email, or a new one; correct for concurrent requests. */
export async function findOrInsertCustomer(
  db: Db,
  customer: NewCustomer,
): Promise<{ customer: Customer; created: boolean }> {
  const { businessId, createdAt } = customer
  const [found] = await run<Customer>(db, FIND_OR_INSERT, { businessId, at: createdAt, ...payerValues(customer) })
  if (!found) throw new Error(`The customer ${customer.id} was neither found nor made`)
  return { customer: found, created: found.id === customer.id }
}

const SET_LOCALE = statement(
  'set_customer_locale',
  (p) => `update customer set locale = ${p.locale}::text
    where business_id = ${p.businessId}::uuid and id = ${p.id}::uuid and locale is distinct from ${p.locale}::text`,
)

/** Sets the language of e-mails to a customer. */
export async function setCustomerLocale(
  db: Db,
  customer: { businessId: string; id: string; locale: Locale },
): Promise<void> {
  await run(db, SET_LOCALE, customer)
}

/** Updates a locked customer, and records the event. */
export async function updateCustomer(tx: Tx, customer: Customer, event: NewEvent): Promise<void> {
  const { id, name, email, phone, metadata } = customer
  const update = sql`changed as (
      update customer set name = ${name}, email = ${email}::text, email_folded = lower(${email}::text), searched = ${storedForm(searchText(customer))}, phone = ${phone}, metadata = ${JSON.stringify(metadata)}::jsonb,
        updated_at = ${event.createdAt}
      where business_id = ${event.businessId}::uuid and id = ${id}::uuid
      returning id
    )`
  await recordWith(tx, event, update)
}
