import { type Selectable, sql } from 'kysely'
import type { Business } from '../../businesses/business.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { Db } from '../../db/connection.ts'
import { storedForm } from '../../db/search.ts'
import { run, type Statement, statement } from '../../db/statement.ts'
import type { Business as BusinessTable, CheckoutSession } from '../../db/tables.ts'
import type { Session } from './session.ts'
import { SESSION_COLUMNS, type SessionRow, sessionFrom } from './session-row.ts'

/** A session with the data that every path needs. */
export interface FoundSession {
  session: Session
  business: Business
  terminal: Terminal
  /** Whether the session has a sale that is SENT, IN_DOUBT or REVERSING. Then no other change is allowed. */
  paymentInProgress: boolean
  /**
   * Customer of the session, or the one with the e-mail address that the merchant gave; `null` if there is none. An
   * e-mail address that a payer typed is never looked up.
   */
  knownCustomerId: string | null
  /** Language of e-mails to the known customer; `null` if there is none. */
  customerLocale: string | null
}

type FoundRow = SessionRow &
  Pick<Selectable<BusinessTable>, 'clock_offset_seconds' | 'new_cards_refused_until'> & {
    payment_in_progress: boolean
    /** Id of the known customer, and the language of e-mails to them. */
    known_customer: [id: string, locale: string | null] | null
    waits_no_longer: boolean
  }

/** The condition `isBeingPaid` as text, for statements with constant texts. */
export const BEING_PAID = `exists (select from operation o where o.business_id = s.business_id
  and o.owner_id = s.id and not o.lost and o.parent_id is null and o.state <> 'APPROVED')`

/** Whether a session `s` has a sale that is SENT, IN_DOUBT or REVERSING. */
export const isBeingPaid = sql<boolean>`${sql.raw(BEING_PAID)}`

const FIND = statement(
  'find_session',
  (p) => `select ${SESSION_COLUMNS.map((column) => `s.${column}`)}, ${BEING_PAID} as payment_in_progress,
      case when s.customer_id is not null then (
        select array[c.id::text, c.locale] from customer c where c.business_id = s.business_id and c.id = s.customer_id
      ) when s.customer_named_by = 'merchant' then (
        select array[c.id::text, c.locale] from customer c
        where c.business_id = s.business_id and c.email_folded = lower(s.customer_email)
      ) end as known_customer,
      (s.status = 'PENDING' and s.subscription_id is not null and not exists (select from subscription w
        where w.business_id = s.business_id and w.id = s.subscription_id
          and case when s.subscription ? 'replaces_card' then w.status in ('active', 'paused')
            else w.status = 'pending_payment_method' end)
      ) as waits_no_longer,
      b.clock_offset_seconds, b.new_cards_refused_until
    from checkout_session s join business b on b.id = s.business_id
    where s.business_id = ${p.businessId}::uuid and s.id = ${p.id}::uuid`,
)

export async function findSession(
  { db, merchants }: { db: Db; merchants: Merchants },
  businessId: string,
  id: string,
): Promise<FoundSession | null> {
  const [row] = await run<FoundRow>(db, FIND, { businessId, id })
  if (!row) return null
  // The subscription was canceled while it waited for its card, or before its card was replaced: the session is not
  // payable any more.
  const isOver = row.waits_no_longer && !row.payment_in_progress
  const session: Session = { ...sessionFrom(row), ...(isOver && { status: 'CANCELLED' }) }
  const merchant = await merchants.find(businessId, session.currency)
  if (!merchant) throw new Error('the business or the terminal of a session is missing')
  return {
    session,
    business: {
      ...merchant.business,
      clockOffsetSeconds: row.clock_offset_seconds,
      newCardsRefusedUntil: row.new_cards_refused_until,
    },
    terminal: merchant.terminal,
    paymentInProgress: row.payment_in_progress,
    knownCustomerId: session.customerId === null ? (row.known_customer?.[0] ?? null) : null,
    customerLocale: row.known_customer?.[1] ?? null,
  }
}

export const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

/** The inserted columns of a new session. */
const NEW_COLUMNS: readonly [column: keyof CheckoutSession, value: (session: Session) => unknown][] = [
  ['business_id', (session) => session.businessId],
  ['id', (session) => session.id],
  ['client_id', (session) => session.clientId],
  ['token_key_id', (session) => session.tokenKeyId],
  ['ui_mode', (session) => session.uiMode],
  ['mode', (session) => session.mode],
  ['currency', (session) => session.currency],
  ['amount_total', (session) => session.amountTotal],
  ['amount_subtotal', (session) => session.amountSubtotal],
  ['amount_tax', (session) => session.amountTax],
  ['amount_discount', (session) => session.amountDiscount],
  ['surcharge_rate_bp', (session) => session.surchargeRateBp],
  ['customer_id', (session) => session.customerId],
  ['customer_email', (session) => session.customerEmail],
  ['customer_name', (session) => session.customerName],
  ['customer_named_by', (session) => session.customerNamedBy],
  ['success_url', (session) => session.successUrl],
  ['cancel_url', (session) => session.cancelUrl],
  ['parent_origin', (session) => session.parentOrigin],
  ['description', (session) => session.description],
  ['client_reference_id', (session) => session.clientReferenceId],
  ['metadata', (session) => json(session.metadata)],
  ['line_items', (session) => json(session.lineItems)],
  ['discounts', (session) => json(session.discounts)],
  ['billing_address_collection', (session) => session.billingAddressCollection],
  ['shipping_address_collection', (session) => session.shippingAddressCollection],
  ['consent_collection', (session) => json(session.consentCollection)],
  ['subscription', (session) => json(session.subscription)],
  ['subscription_id', (session) => session.subscriptionId],
  ['created_at', (session) => session.createdAt],
  ['expires_at', (session) => session.expiresAt],
]

/** Inserts only the columns that are not null: usually half of them, and each parameter costs time on both sides. */
export async function insertSession(db: Db, session: Session): Promise<void> {
  const text = `${session.customerEmail ?? ''} ${session.customerName ?? ''}`
  const values: Record<string, unknown> = { searched: storedForm(text) }
  let set = 0
  for (const [index, [column, read]] of NEW_COLUMNS.entries()) {
    const value = read(session)
    if (value === null) continue
    values[column] = value
    set |= 1 << index
  }
  await run(db, insertStatement(set), values)
}

const INSERTS = new Map<number, Statement>()

/** Returns the cached statement for a set of columns. */
function insertStatement(set: number): Statement {
  const known = INSERTS.get(set)
  if (known) return known
  const columns = NEW_COLUMNS.filter((_column, index) => set & (1 << index)).map(([column]) => column)
  const made = statement(`insert_session_${set}`, (p) => {
    const given = (column: 'customer_email' | 'customer_name') =>
      columns.includes(column) ? `${p[column]}::text` : `''`
    const text = `lower(${given('customer_email')} || ' ' || ${given('customer_name')})`
    return `insert into checkout_session (${columns}, search_text, searched)
      values (${columns.map((column) => p[column])}, ${text}, ${p.searched}::text)`
  })
  INSERTS.set(set, made)
  return made
}

/** Stores the typed payer of a session that is not bound to a customer, replacing an earlier one. */
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
