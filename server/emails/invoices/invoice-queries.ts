import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { newId } from '../../lib/ids.ts'
import type { Invoice, InvoiceData, NewInvoice } from './invoice.ts'

/**
 * Issues an invoice with the next number of its business, or returns the one that its payment, or its subscription before
 * the first charge, has already. The number is free again if the caller's transaction is rolled back; until it ends, other
 * invoices of the business wait.
 *
 * @see LTR-16, LTR-17
 */
export async function issueInvoice(tx: Tx, invoice: NewInvoice): Promise<Invoice> {
  const { businessId, subscriptionId, paymentId, data, logo, issuedAt } = invoice
  await lockCounter(tx, businessId)
  // A statement of its own: it sees what the last holder of the lock has committed.
  const existing = await findInvoiceFor(tx, { businessId, subscriptionId, paymentId })
  if (existing) return existing
  await keepLogo(tx, invoice)
  const id = newId()
  const { rows } = await sql<{ number: number }>`
    with counted as (
      update invoice_counter set last_number = last_number + 1 where business_id = ${businessId}::uuid
      returning business_id, last_number
    )
    insert into invoice (business_id, id, number, subscription_id, payment_id, data, issued_at)
    select business_id, ${id}::uuid, last_number, ${subscriptionId}::uuid, ${paymentId}::uuid, ${JSON.stringify(data)}::jsonb,
      ${issuedAt}::timestamptz
    from counted returning number`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the counter of the invoices is missing')
  return { businessId, subscriptionId, paymentId, data, logo, issuedAt, id, number: row.number }
}

/** Makes the counter if there is none. */
async function lockCounter(tx: Tx, businessId: string): Promise<void> {
  await sql`insert into invoice_counter as c (business_id, last_number) values (${businessId}::uuid, 0)
    on conflict (business_id) do update set last_number = c.last_number`.execute(tx)
}

async function keepLogo(tx: Tx, { businessId, logo }: NewInvoice): Promise<void> {
  if (!logo) return
  const { hash, mediaType: media_type, bytes } = logo
  await tx
    .insertInto('invoice_logo')
    .values({ business_id: businessId, hash, media_type, bytes })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findInvoice(db: Db, businessId: string, id: string): Promise<Invoice | undefined> {
  return findOne(db, businessId, sql<SqlBool>`i.id = ${id}::uuid`)
}

export function findInvoiceOfPayment(db: Db, businessId: string, paymentId: string): Promise<Invoice | undefined> {
  return findOne(db, businessId, sql<SqlBool>`i.payment_id = ${paymentId}::uuid`)
}

/** Without a payment: the invoice that was issued before the first charge. */
async function findInvoiceFor(
  db: Db,
  { businessId, subscriptionId, paymentId }: Pick<Invoice, 'businessId' | 'subscriptionId' | 'paymentId'>,
): Promise<Invoice | undefined> {
  const which =
    paymentId === null
      ? sql<SqlBool>`i.subscription_id = ${subscriptionId}::uuid and i.payment_id is null`
      : sql<SqlBool>`i.payment_id = ${paymentId}::uuid`
  return findOne(db, businessId, which)
}

async function findOne(db: Db, businessId: string, which: Expression<SqlBool>): Promise<Invoice | undefined> {
  const row = await db
    .selectFrom('invoice as i')
    .leftJoin('invoice_logo as l', (join) =>
      join
        .onRef('l.business_id', '=', 'i.business_id')
        .on('l.hash', '=', sql<string>`i.data -> 'seller' ->> 'logoHash'`),
    )
    .select(['i.id', 'i.number', 'i.subscription_id', 'i.payment_id', 'i.data', 'i.issued_at'])
    .select(['l.hash', 'l.media_type', 'l.bytes'])
    .where('i.business_id', '=', businessId)
    .where(which)
    .executeTakeFirst()
  if (!row) return undefined
  const { hash, media_type: mediaType, bytes } = row
  return {
    businessId,
    id: row.id,
    number: row.number,
    subscriptionId: row.subscription_id,
    paymentId: row.payment_id,
    data: row.data as unknown as InvoiceData,
    logo: hash === null || mediaType === null || bytes === null ? null : { hash, mediaType, bytes },
    issuedAt: row.issued_at,
  }
}
