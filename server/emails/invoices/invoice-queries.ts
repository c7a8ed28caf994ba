import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { newId } from '../../lib/ids.ts'
import type { Invoice, InvoiceData, NewInvoice } from './invoice.ts'

/**
 * Issues invoices of one business with its next numbers, in order. If a payment, or a subscription before its first
 * charge, already has an invoice, that one is returned instead. If the caller's transaction is rolled back, the numbers
 * are free again; until it ends, other invoices of the business wait.
 *
 * @returns one invoice for each given one
 * @see LTR-16, LTR-17
 */
export async function issueInvoices(
  tx: Tx,
  businessId: string,
  invoices: readonly Omit<NewInvoice, 'businessId'>[],
): Promise<Invoice[]> {
  if (invoices.length === 0) return []
  await lockCounter(tx, businessId)
  // A separate statement, so that it sees what the previous holder of the lock has committed.
  const known = await findInvoicesFor(tx, businessId, invoices)
  const missing = new Map(invoices.filter((one) => !known.has(subjectOf(one))).map((one) => [subjectOf(one), one]))
  for (const one of await insertInvoices(tx, businessId, [...missing.values()])) known.set(subjectOf(one), one)
  return invoices.flatMap((one) => known.get(subjectOf(one)) ?? [])
}

/** Returns the id of the payment or subscription that has one invoice. */
const subjectOf = ({ paymentId, subscriptionId }: Pick<Invoice, 'paymentId' | 'subscriptionId'>) =>
  paymentId ?? subscriptionId

async function insertInvoices(
  tx: Tx,
  businessId: string,
  invoices: readonly Omit<NewInvoice, 'businessId'>[],
): Promise<Invoice[]> {
  if (invoices.length === 0) return []
  await keepLogos(tx, businessId, invoices)
  const made = invoices.map((invoice) => ({ ...invoice, businessId, id: newId() }))
  const rows = made.map(({ id, subscriptionId, paymentId, data, issuedAt }, index) => ({
    id,
    number: index + 1,
    subscription_id: subscriptionId,
    payment_id: paymentId,
    data,
    issued_at: issuedAt,
  }))
  const inserted = await sql<{ id: string; number: number }>`
    with counted as (
      update invoice_counter set last_number = last_number + ${made.length}::integer where business_id = ${businessId}::uuid
      returning last_number - ${made.length}::integer as before
    )
    insert into invoice (business_id, id, number, subscription_id, payment_id, data, issued_at)
    select ${businessId}::uuid, one.id, counted.before + one.number, one.subscription_id, one.payment_id, one.data, one.issued_at
    from counted, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id uuid, number integer, subscription_id uuid,
      payment_id uuid, data jsonb, issued_at timestamptz)
    returning id, number`.execute(tx)
  const numbers = new Map(inserted.rows.map(({ id, number }) => [id, number]))
  return made.map((invoice) => {
    const number = numbers.get(invoice.id)
    if (number === undefined) throw new Error('the counter of the invoices is missing')
    return { ...invoice, number }
  })
}

/** Locks the counter; creates it if there is none. */
async function lockCounter(tx: Tx, businessId: string): Promise<void> {
  await sql`insert into invoice_counter as c (business_id, last_number) values (${businessId}::uuid, 0)
    on conflict (business_id) do update set last_number = c.last_number`.execute(tx)
}

async function keepLogos(tx: Tx, businessId: string, invoices: readonly Pick<NewInvoice, 'logo'>[]): Promise<void> {
  const logos = new Map(invoices.flatMap(({ logo }) => (logo ? [[logo.hash, logo] as const] : [])))
  if (logos.size === 0) return
  await tx
    .insertInto('invoice_logo')
    .values(
      [...logos.values()].map(({ hash, mediaType, bytes }) => ({
        business_id: businessId,
        hash,
        media_type: mediaType,
        bytes,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findInvoice(db: Db, businessId: string, id: string): Promise<Invoice | undefined> {
  return findOne(db, businessId, sql<SqlBool>`i.id = ${id}::uuid`)
}

export function findInvoiceOfPayment(db: Db, businessId: string, paymentId: string): Promise<Invoice | undefined> {
  return findOne(db, businessId, sql<SqlBool>`i.payment_id = ${paymentId}::uuid`)
}

/** Finds existing invoices by their subject. Without a payment, that is the invoice issued before the first charge. */
async function findInvoicesFor(
  db: Db,
  businessId: string,
  wanted: readonly Pick<Invoice, 'subscriptionId' | 'paymentId'>[],
): Promise<Map<string, Invoice>> {
  const paymentIds = wanted.flatMap(({ paymentId }) => paymentId ?? [])
  const subscriptionIds = wanted.flatMap(({ paymentId, subscriptionId }) => (paymentId === null ? subscriptionId : []))
  const found = await findAll(
    db,
    businessId,
    sql<SqlBool>`(i.payment_id = any(${paymentIds}::uuid[])
      or i.subscription_id = any(${subscriptionIds}::uuid[]) and i.payment_id is null)`,
  )
  return new Map(found.map((invoice) => [subjectOf(invoice), invoice]))
}

async function findOne(db: Db, businessId: string, which: Expression<SqlBool>): Promise<Invoice | undefined> {
  return (await findAll(db, businessId, which))[0]
}

async function findAll(db: Db, businessId: string, which: Expression<SqlBool>): Promise<Invoice[]> {
  const rows = await db
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
    .execute()
  return rows.map(({ hash, media_type: mediaType, bytes, ...row }) => ({
    businessId,
    id: row.id,
    number: row.number,
    subscriptionId: row.subscription_id,
    paymentId: row.payment_id,
    data: row.data as unknown as InvoiceData,
    logo: hash === null || mediaType === null || bytes === null ? null : { hash, mediaType, bytes },
    issuedAt: row.issued_at,
  }))
}
