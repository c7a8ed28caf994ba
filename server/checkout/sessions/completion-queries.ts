import type { Placeholders } from '../../db/statement.ts'

// Members of the statements that record the outcome of a payment on a session.

export const ofSession = (p: Placeholders, of = '') =>
  `${of}business_id = ${p.businessId}::uuid and ${of}id = ${p.sessionId}::uuid`

/** Locks the pending session. No other writer can close a session with an open sale, so an empty result is a defect. */
export const lockPending = (p: Placeholders) => `locked as (
    select id from checkout_session where ${ofSession(p)} and status = 'PENDING' for no key update
  )`

/**
 * Completes a session that begins a subscription.
 *
 * @param source member with one row, whose `customer` is the payer's id as text
 */
export const completeSignUp = (p: Placeholders, source: string) => `completed as (
    update checkout_session s set status = 'COMPLETED', overdue_at = null, completed_at = ${p.at}::timestamptz,
      payer_customer_id = ${source}.customer::uuid, subscription_id = ${p.subscriptionId}::uuid,
      verification = ${p.verification}::jsonb, consent = coalesce(${p.consent}::jsonb, s.consent),
      billing_address = coalesce(${p.billingAddress}::jsonb, s.billing_address),
      shipping_address = coalesce(${p.shippingAddress}::jsonb, s.shipping_address)
    from ${source} where ${ofSession(p, 's.')}
  )`
