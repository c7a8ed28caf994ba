import type { Address } from '../../../contract/checkout-form.ts'
import { blockCard } from '../../customers/billed-card-queries.ts'
import type { NewCustomer } from '../../customers/customer.ts'
import { payerMembers, payerValues } from '../../customers/customer-queries.ts'
import type { NewStoredCard } from '../../customers/stored-card.ts'
import { storedCardValues, storedMembers } from '../../customers/stored-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement } from '../../db/statement.ts'
import type { NewEvent } from '../../events/event.ts'
import { eventValues, firstEventMembers } from '../../events/event-queries.ts'
import type { ApprovedPayment } from '../../payments/approved-payment.ts'
import { insertApprovedPayment, paymentValues } from '../../payments/approved-payment-queries.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import { insertReversal, reversalValues } from '../../payments/operation-queries.ts'
import { finalizeOperation, finalizeValues, type Outcome } from '../../payments/outcome-queries.ts'
import { approveSale, declineSale, insertSale, outcomeValues, saleValues } from '../../payments/sale-queries.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { insertSealedCard, sealedCardValues } from '../../vault/vault-queries.ts'
import { lockPending, ofSession } from '../sessions/completion-queries.ts'
import { type Consent, type LastDecline, PAYMENT_ATTEMPTS_MAX, type Session } from '../sessions/session.ts'
import { json } from '../sessions/session-queries.ts'

// The durable steps of a session payment. Each is one statement, because round trips and commits dominate the cost of a
// payment, and so that it is recorded completely or not at all. Each folder provides the part that writes its own
// table. A step has one SQL text per common variant, without the parts that the variant does not write.

/** Input of the payer on the form, stored with the intent. */
export interface PayerInput {
  consent: Consent | null
  billingAddress: Address | null
  shippingAddress: Address | null
}

/** Returns the member `locked`: the session, if it may be paid now. */
export const lockPayable = (p: Placeholders) => `locked as (
    select attempt_count from checkout_session
    where ${ofSession(p)} and status = 'PENDING' and expires_at > ${p.at}::timestamptz
      and attempt_count < ${PAYMENT_ATTEMPTS_MAX}
    for no key update
  )`

const beginText = (p: Placeholders, kept: string) => `
  with ${lockPayable(p)}, ${kept} begun as (${insertSale(p, 'session', 'locked')})
  select attempt_count from locked`

/** Returns the member `kept`, which stores what the payer entered. */
export const keptInput = (p: Placeholders, source = 'locked') => `kept as (
    update checkout_session s set consent = coalesce(${p.consent}::jsonb, s.consent),
      billing_address = coalesce(${p.billingAddress}::jsonb, s.billing_address),
      shipping_address = coalesce(${p.shippingAddress}::jsonb, s.shipping_address)
    from ${source} where ${ofSession(p, 's.')}
  ),`

const BEGIN = statement('begin_session_sale', (p) => beginText(p, ''))
const BEGIN_WITH_INPUT = statement('begin_session_sale_with_input', (p) => beginText(p, keptInput(p)))

/**
 * Step 1: locks the session, checks that it may be paid, and records the intent.
 *
 * Every statement here locks the session before an operation; the opposite order could deadlock.
 *
 * @param now current time of the business
 * @returns the number of failed attempts, read under the lock; `null` if the session is closed or has no attempts left
 * @throws `unique_violation` when the session has an open sale
 */
export async function beginSale(
  db: Db,
  { session, operation, payer, now }: { session: Session; operation: NewOperation; payer: PayerInput; now: Date },
): Promise<number | null> {
  const { consent, billingAddress, shippingAddress } = payer
  const isGiven = consent !== null || billingAddress !== null || shippingAddress !== null
  const values = { ...saleValues(operation), sessionId: session.id, at: now }
  const input = inputValues(payer)
  const rows = await run<{ attempt_count: number }>(
    db,
    isGiven ? BEGIN_WITH_INPUT : BEGIN,
    isGiven ? { ...values, ...input } : values,
  )
  return rows[0]?.attempt_count ?? null
}

export const inputValues = ({ consent, billingAddress, shippingAddress }: PayerInput) => ({
  consent: json(consent),
  billingAddress: json(billingAddress),
  shippingAddress: json(shippingAddress),
})

export interface Approval {
  outcome: Outcome
  session: Session
  payment: ApprovedPayment
  event: NewEvent
  /**
   * Customer that is created when the session is paid; `null` if the customer is known. A new customer has its own
   * event, like a new card.
   */
  newCustomer: NewCustomer | null
  card: { stored: NewStoredCard; sealed: SealedCard } | null
}

function approvalText(p: Placeholders, { isNew, isKept }: { isNew: boolean; isKept: boolean }): string {
  const payerId = isNew ? '(select id from payer)' : `${p.payerId}::uuid`
  const payer = isNew
    ? `${payerMembers(p, 'finalized')},`
    : isKept
      ? `payer as (select ${payerId} as id from finalized),`
      : ''
  const card = isKept ? `${storedMembers(p)}, sealed as (${insertSealedCard(p, 'stored')}),` : ''
  const data = (given: string) => (isNew ? `jsonb_set(${given}, '{object,customer_id}', to_jsonb(${payerId}))` : given)
  return `
  with ${lockPending(p)},
  ${approveSale(p, 'exists (select from locked)')},
  ${payer} ${card}
  completed as (
    update checkout_session s set status = 'COMPLETED', overdue_at = null, completed_at = ${p.at}::timestamptz,
      payer_customer_id = ${payerId}
    from finalized where ${ofSession(p, 's.')}
  ),
  paid as (${insertApprovedPayment(p, payerId, `${p.sessionId}::uuid`)}),
  ${firstEventMembers(p, { source: 'finalized', data })}
  select terminal_id from finalized`
}

const APPROVE = {
  known: statement('approve_session_sale', (p) => approvalText(p, { isNew: false, isKept: false })),
  new: statement('approve_session_sale_new', (p) => approvalText(p, { isNew: true, isKept: false })),
  knownKept: statement('approve_session_sale_kept', (p) => approvalText(p, { isNew: false, isKept: true })),
  newKept: statement('approve_session_sale_new_kept', (p) => approvalText(p, { isNew: true, isKept: true })),
}

/**
 * Step 3 of an approval: records operation, session, customer, stored card, payment and event.
 *
 * @returns `false` when another writer has decided the outcome first
 */
export async function recordApproval(
  db: Db,
  { outcome, session, payment, event, newCustomer, card }: Approval,
): Promise<boolean> {
  const payerId = session.customerId
  const { object, ...more } = event.data
  const text = newCustomer ? (card ? APPROVE.newKept : APPROVE.new) : card ? APPROVE.knownKept : APPROVE.known
  const rows = await run(db, text, {
    ...outcomeValues(outcome),
    ...paymentValues(payment),
    ...eventValues({ ...event, data: { ...more, object: { ...object, customer_id: payerId } } }),
    ...(newCustomer && payerValues(newCustomer)),
    ...(card && { ...storedCardValues(card.stored), ...sealedCardValues(card.sealed) }),
    sessionId: session.id,
    payerId,
    at: payment.createdAt,
  })
  return rows.length > 0
}

export interface Decline {
  outcome: Outcome
  session: Session
  /** Number of failed attempts, including this one. */
  attemptCount: number
  lastDecline: LastDecline
  now: Date
  /** Event of the failed session; only for the last attempt. */
  failed: NewEvent | null
  /** Void of the approved amount; `null` if nothing was approved. */
  reversal: NewOperation | null
  /** `null` for a typed card. */
  storedCardId: string | null
  /** Code that blocks the stored card for charges without the payer; `null` if it does not block it (GTW-20). */
  chargeBlock: string | null
}

function declineText(p: Placeholders, { isLast, isPartial }: { isLast: boolean; isPartial: boolean }): string {
  const finalized = isPartial ? finalizeOperation : declineSale
  return `
  with ${lockPending(p)},
  ${finalized(p, 'exists (select from locked)')},
  ${isPartial ? `reversal as (${insertReversal(p, 'finalized')})` : `blocked as (${blockCard(p, 'finalized')})`},
  counted as (
    update checkout_session s set attempt_count = ${p.attemptCount}::smallint, last_decline = ${p.lastDecline}::jsonb
      ${isLast ? `, status = 'FAILED', overdue_at = null, failed_at = ${p.at}::timestamptz` : ''}
    from finalized where ${ofSession(p, 's.')} and s.attempt_count = ${p.attemptCount}::smallint - 1
    returning s.id
  )${isLast ? `, ${firstEventMembers(p, { source: 'counted' })}` : ''}
  select terminal_id from finalized`
}

const DECLINE = {
  declined: statement('decline_session_sale', (p) => declineText(p, { isLast: false, isPartial: false })),
  last: statement('decline_session_sale_last', (p) => declineText(p, { isLast: true, isPartial: false })),
  partial: statement('partial_session_sale', (p) => declineText(p, { isLast: false, isPartial: true })),
  lastPartial: statement('partial_session_sale_last', (p) => declineText(p, { isLast: true, isPartial: true })),
}

/**
 * Step 3 of a decline: records operation and attempt count, the failure of the session at the third attempt, and the
 * void of an approved amount.
 */
export async function recordDecline(
  db: Db,
  { outcome, session, attemptCount, lastDecline, now, failed, reversal, storedCardId, chargeBlock }: Decline,
): Promise<boolean> {
  const text = reversal ? (failed ? DECLINE.lastPartial : DECLINE.partial) : failed ? DECLINE.last : DECLINE.declined
  const rows = await run(db, text, {
    ...(reversal
      ? { ...finalizeValues(outcome), ...reversalValues(reversal) }
      : { ...outcomeValues(outcome), storedCardId, chargeBlock }),
    ...(failed && eventValues(failed)),
    sessionId: session.id,
    attemptCount,
    lastDecline: JSON.stringify(lastDecline),
    at: now,
  })
  return rows.length > 0
}
