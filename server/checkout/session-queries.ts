import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Business } from '../businesses/business.ts'
import { type BusinessRow, businessFrom } from '../businesses/business-queries.ts'
import type { Terminal } from '../businesses/terminal-queries.ts'
import type { Db } from '../db/connection.ts'
import type { CheckoutSession } from '../db/tables.ts'
import type { Session } from './session.ts'
import { sessionFrom } from './session-row.ts'

/** A session with what every path of it needs. */
export interface FoundSession {
  session: Session
  business: Business
  terminal: Terminal
  /** A sale of it is sent, in doubt or being undone: nothing else may happen to it. */
  paymentInProgress: boolean
}

interface FoundRow extends Selectable<CheckoutSession> {
  business: BusinessRow
  terminal: { id: string; gateway: string; merchant_code: string }
  payment_in_progress: boolean
}

const joined = sql`
  s.*, to_jsonb(b) as business, to_jsonb(t) as terminal,
  exists (select from operation o where o.business_id = s.business_id and o.session_id = s.id and o.kind = 'sale'
    and o.state in ('SENT', 'IN_DOUBT', 'REVERSING')) as payment_in_progress
  from checkout_session s
  join business b on b.id = s.business_id
  join terminal t on t.business_id = s.business_id and t.currency = s.currency`

/** By the hash of its token, whoever the business is. */
export async function findSessionByToken(db: Db, tokenHash: Buffer): Promise<FoundSession | null> {
  const { rows } = await sql<FoundRow>`
    select ${joined} join session_token k on k.business_id = s.business_id and k.session_id = s.id
    where k.token_hash = ${tokenHash}`.execute(db)
  return found(rows[0])
}

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
  }
}

/** The session and the way to it from its token, in one statement. */
export async function insertSession(db: Db, session: Session, tokenHash: Buffer): Promise<void> {
  const s = session
  await sql`
    with inserted as (
      insert into checkout_session (business_id, id, client_id, token_key_id, ui_mode, mode, currency, amount_total,
        amount_subtotal, amount_tax, amount_discount, surcharge_rate_bp, customer_id, customer_email, customer_name,
        success_url, cancel_url, parent_origin, description, client_reference_id, metadata, line_items, discounts,
        billing_address_collection, shipping_address_collection, consent_collection, created_at, expires_at)
      values (${s.businessId}, ${s.id}, ${s.clientId}, ${s.tokenKeyId}, ${s.uiMode}, ${s.mode}, ${s.currency},
        ${s.amountTotal}, ${s.amountSubtotal}, ${s.amountTax}, ${s.amountDiscount}, ${s.surchargeRateBp}, ${s.customerId},
        ${s.customerEmail}, ${s.customerName}, ${s.successUrl}, ${s.cancelUrl}, ${s.parentOrigin}, ${s.description},
        ${s.clientReferenceId}, ${json(s.metadata)}, ${json(s.lineItems)}, ${json(s.discounts)},
        ${s.billingAddressCollection}, ${s.shippingAddressCollection}, ${json(s.consentCollection)}, ${s.createdAt},
        ${s.expiresAt})
      returning business_id, id
    )
    insert into session_token (token_hash, business_id, session_id) select ${tokenHash}, business_id, id from inserted`.execute(
    db,
  )
}

export const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

/** Whom the payer named on the form of a session that the merchant bound to nobody. */
export async function nameSessionCustomer(db: Db, businessId: string, id: string, customerId: string): Promise<void> {
  await db
    .updateTable('checkout_session')
    .set({ payer_customer_id: customerId })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .where('customer_id', 'is', null)
    .execute()
}
