import { CompiledQuery, type Insertable, type Selectable, sql } from 'kysely'
import type { Business } from '../../businesses/business.ts'
import { type BusinessRow, businessFrom } from '../../businesses/business-queries.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { Db } from '../../db/connection.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import type { Session } from './session.ts'
import { sessionFrom } from './session-row.ts'

/** A session with what every path of it needs. */
export interface FoundSession {
  session: Session
  business: Business
  terminal: Terminal
  /** A sale of it is sent, in doubt or being reversed: nothing else may happen to it. */
  paymentInProgress: boolean
  /** Who has the e-mail address that the merchant named. Nobody is looked up by one that was typed. */
  knownCustomerId: string | null
}

interface FoundRow extends Selectable<CheckoutSession> {
  business: BusinessRow
  terminal: { id: string; gateway: string; merchant_code: string }
  payment_in_progress: boolean
  known_customer_id: string | null
}

/** Of a session `s`: a sale of it is sent, in doubt or being reversed. */
export const isBeingPaid = sql<boolean>`exists (select from operation o where o.business_id = s.business_id
  and o.owner_id = s.id and not o.lost and o.parent_id is null and o.state <> 'APPROVED')`

const joined = sql`
  s.*, to_jsonb(b) as business, to_jsonb(t) as terminal,
  ${isBeingPaid} as payment_in_progress,
  (select c.id from customer c where s.customer_named_by = 'merchant'
    and c.business_id = s.business_id and c.email_folded = lower(s.customer_email)) as known_customer_id
  from checkout_session s
  join business b on b.id = s.business_id
  join terminal t on t.business_id = s.business_id and t.currency = s.currency`

export async function findSession(db: Db, businessId: string, id: string): Promise<FoundSession | null> {
  const { rows } = await sql<FoundRow>`
    select ${joined} where s.business_id = ${businessId} and s.id = ${id}`.execute(db)
  return found(rows[0])
}

function found(row: FoundRow | undefined): FoundSession | null {
  if (!row) return null
  const session = sessionFrom(row)
  const { id, gateway, merchant_code: merchantCode } = row.terminal
  return {
    session,
    business: businessFrom(row.business),
    terminal: { id, currency: session.currency, gateway, merchantCode },
    paymentInProgress: row.payment_in_progress,
    knownCustomerId: row.known_customer_id,
  }
}

/**
 * Only what the merchant gave is sent: half of the columns of a usual session are empty, and each parameter costs on both sides.
 */
export async function insertSession(db: Db, session: Session): Promise<void> {
  const given = Object.entries(rowOf(session)).filter(([, value]) => value !== null)
  const text = insertText(given.map(([column]) => column))
  const values = given.map(([, value]) => value)
  await db.executeQuery(CompiledQuery.raw(text, [...values, session.customerEmail ?? '', session.customerName ?? '']))
}

const texts = new Map<string, string>()

/** The text for a set of columns, built once: they are our own names, never a caller's. */
function insertText(columns: string[]): string {
  const key = columns.join()
  const known = texts.get(key)
  if (known) return known
  const [email, name] = [columns.length + 1, columns.length + 2]
  const text = `insert into checkout_session (${key}, search_text)
    values (${columns.map((_column, index) => `$${index + 1}`)}, lower($${email}::text || ' ' || $${name}::text))`
  texts.set(key, text)
  return text
}

function rowOf(session: Session): Omit<Insertable<CheckoutSession>, 'search_text'> {
  return {
    business_id: session.businessId,
    id: session.id,
    client_id: session.clientId,
    token_key_id: session.tokenKeyId,
    ui_mode: session.uiMode,
    mode: session.mode,
    currency: session.currency,
    amount_total: session.amountTotal,
    amount_subtotal: session.amountSubtotal,
    amount_tax: session.amountTax,
    amount_discount: session.amountDiscount,
    surcharge_rate_bp: session.surchargeRateBp,
    customer_id: session.customerId,
    customer_email: session.customerEmail,
    customer_name: session.customerName,
    customer_named_by: session.customerNamedBy,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    parent_origin: session.parentOrigin,
    description: session.description,
    client_reference_id: session.clientReferenceId,
    metadata: json(session.metadata),
    line_items: json(session.lineItems),
    discounts: json(session.discounts),
    billing_address_collection: session.billingAddressCollection,
    shipping_address_collection: session.shippingAddressCollection,
    consent_collection: json(session.consentCollection),
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  }
}

export const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

/** What was typed on the form of a session that is bound to nobody. The last one counts. */
export async function recordPayer(
  db: Db,
  { businessId, id }: Pick<Session, 'businessId' | 'id'>,
  { name, email, phone }: { name: string; email: string; phone: string | null },
): Promise<void> {
  await db
    .updateTable('checkout_session')
    .set({ payer_name: name, payer_email: email, payer_phone: phone })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute()
}
