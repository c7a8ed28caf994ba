import { type RawBuilder, sql } from 'kysely'
import type { Address } from '../../../contract/checkout-form.ts'
import type { NewCustomer } from '../../customers/customer.ts'
import { insertCustomerCreatedFrom, payerMembers } from '../../customers/customer-queries.ts'
import type { NewStoredCard } from '../../customers/stored-card.ts'
import { insertCardAttachedFrom, insertStoredCardFrom } from '../../customers/stored-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { NewEvent } from '../../events/event.ts'
import { insertEventFrom } from '../../events/event-queries.ts'
import {
  finalizeOperation,
  insertOperationFrom,
  type NewOperation,
  type Outcome,
} from '../../payments/operation-queries.ts'
import type { Payment } from '../../payments/payment.ts'
import { insertPaymentFrom } from '../../payments/payment-queries.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { insertSealedCardFrom } from '../../vault/vault-queries.ts'
import { type Consent, PAYMENT_ATTEMPTS_MAX, type Session } from '../sessions/session.ts'
import { json } from '../sessions/session-queries.ts'

// The durable steps of a payment on a session, each one statement: what a payment costs is its round trips and commits.
// Each folder gives the part that writes its own table; here they are joined, so that all of it is kept, or none.

/** What the payer said on the form, kept with the intent. */
export interface PayerInput {
  consent: Consent | null
  billingAddress: Address | null
  shippingAddress: Address | null
}

/**
 * Step 1, the intent: locks the session, checks that it may be paid, and writes the operation.
 *
 * Every statement here locks the session before it touches an operation: two in opposite orders would be a deadlock.
 *
 * @param now in the business's time
 * @returns how many attempts have failed so far, which only the lock makes certain; `null` when the session is closed or
 *   full; a second open sale fails with `unique_violation`
 */
export async function beginSale(
  db: Db,
  { session, operation, payer, now }: { session: Session; operation: NewOperation; payer: PayerInput; now: Date },
): Promise<number | null> {
  const { rows } = await sql<{ attempt_count: number }>`
    with locked as (
      select business_id, id, attempt_count from checkout_session
      where business_id = ${session.businessId}::uuid and id = ${session.id}::uuid and status = 'PENDING'
        and expires_at > ${now}::timestamptz and attempt_count < ${PAYMENT_ATTEMPTS_MAX}::smallint
      for no key update
    ), kept as (
      update checkout_session s set consent = coalesce(${json(payer.consent)}::jsonb, s.consent),
        billing_address = coalesce(${json(payer.billingAddress)}::jsonb, s.billing_address),
        shipping_address = coalesce(${json(payer.shippingAddress)}::jsonb, s.shipping_address)
      from locked where ${isGiven(payer)} and s.business_id = locked.business_id and s.id = locked.id
    ), begun as (${insertOperationFrom(operation, sql`locked`)})
    select attempt_count from locked`.execute(db)
  return rows[0]?.attempt_count ?? null
}

const isGiven = (payer: PayerInput) => sql`${Object.values(payer).some((value) => value !== null)}::boolean`

export interface Approval {
  outcome: Outcome
  session: Session
  payment: Payment
  event: NewEvent
  /** Made when the session is paid, unless the customer is known. A new one is an event of its own, like a new card. */
  newCustomer: NewCustomer | null
  card: { stored: NewStoredCard; sealed: SealedCard } | null
}

/**
 * Step 3, approved: operation, session, customer, stored card, payment and event together.
 *
 * @returns false when somebody else has decided meanwhile (the caller reads what)
 */
export async function recordApproval(
  db: Db,
  { outcome, session, payment, event, newCustomer, card }: Approval,
): Promise<boolean> {
  const payerId = sql`(select id from payer)`
  const { rows } = await sql`
    with locked as (${lockPending(session)}),
      ${finalizeOperation(outcome, sql`exists (select from locked)`)},
      ${payerOf(session, newCustomer)},
      ${newCustomer ? sql`greeted as (${insertCustomerCreatedFrom(newCustomer, sql`payer`)}),` : sql``}
      completed as (
        update checkout_session s set status = 'COMPLETED', overdue_at = null, completed_at = ${payment.createdAt}::timestamptz,
          payer_customer_id = (select id from payer)
        from finalized where s.business_id = ${session.businessId}::uuid and s.id = ${session.id}::uuid
        returning s.id
      ),
      ${cardOf(session, payment.createdAt, card, payerId)}
      paid as (${insertPaymentFrom(payment, sql`finalized`, payerId)}),
      recorded as (${insertEventFrom(event, sql`completed`, sql`jsonb_build_object('customer_id', ${payerId})`)})
    select id from completed`.execute(db)
  return rows.length > 0
}

/** A session with an open sale cannot be closed by anybody else, so this finds it, or a defect. */
function lockPending({ businessId, id }: Session): RawBuilder<unknown> {
  return sql`select id from checkout_session
    where business_id = ${businessId}::uuid and id = ${id}::uuid and status = 'PENDING' for no key update`
}

function payerOf({ customerId }: Session, newCustomer: NewCustomer | null): RawBuilder<unknown> {
  if (newCustomer) return payerMembers(newCustomer, sql`finalized`)
  return sql`payer as (select ${customerId}::uuid as id from finalized)`
}

function cardOf(
  { businessId }: Session,
  createdAt: Date,
  card: Approval['card'],
  payerId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!card) return sql``
  return sql`stored as (${insertStoredCardFrom(card.stored, sql`payer`)}),
    sealed as (${insertSealedCardFrom(businessId, card.sealed, createdAt, sql`stored`)}),
    attached as (${insertCardAttachedFrom(card.stored, sql`stored`, payerId)}),`
}

export interface Decline {
  outcome: Outcome
  session: Session
  /** Declines including this one. */
  attemptCount: number
  now: Date
  /** When this was the last attempt. */
  failed: NewEvent | null
  /** After a partial approval: the void that gives the part back. */
  reversal: NewOperation | null
}

/** Step 3, declined: operation, attempt count and, at the third, the end of the session; a partial approval's void with it. */
export async function recordDecline(
  db: Db,
  { outcome, session, attemptCount, now, failed, reversal }: Decline,
): Promise<boolean> {
  const { rows } = await sql`
    with locked as (${lockPending(session)}),
      ${finalizeOperation(outcome, sql`exists (select from locked)`)},
      counted as (
        update checkout_session s set attempt_count = ${attemptCount}::smallint,
          status = case when ${failed !== null}::boolean then 'FAILED' else s.status end,
          failed_at = case when ${failed !== null}::boolean then ${now}::timestamptz end
        from finalized where s.business_id = ${session.businessId}::uuid and s.id = ${session.id}::uuid
          and s.attempt_count = ${attemptCount - 1}::smallint
        returning s.id
      )
      ${reversal ? sql`, undo as (${insertOperationFrom(reversal, sql`finalized`)})` : sql``}
      ${failed ? sql`, recorded as (${insertEventFrom(failed, sql`counted`)})` : sql``}
    select id from finalized`.execute(db)
  return rows.length > 0
}
