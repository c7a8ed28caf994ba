import type { PaymentStatus, SessionStatus } from '../../../contract/checkout-session.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { PAYMENT_ATTEMPTS_MAX, paymentStatus, type Session } from './session.ts'

/** The origins of a session's links. */
export interface Links {
  dashboardUrl: string
}

export function checkoutUrl({ uiMode }: Pick<Session, 'uiMode'>, token: string, { dashboardUrl }: Links): string {
  return `${dashboardUrl}/customer/${uiMode === 'rapid' ? 'checkout-rapid' : 'checkout'}/${token}`
}

/** Returns the session as a create response shows it. @see CHK-15 */
export function createdView(session: Session, token: string, links: Links) {
  return {
    id: session.id,
    token,
    checkout_url: checkoutUrl(session, token, links),
    session_status: session.status,
    payment_status: paymentStatus(session.status),
    amount_total: decimalFromCents(session.amountTotal),
    currency: session.currency,
    expires_at: session.expiresAt.toISOString(),
    ui_mode: session.uiMode,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
  }
}

/**
 * Returns the session as a details response shows it, for both variants: input, state and transaction. Amounts are in
 * major units, times in ISO 8601 UTC.
 *
 * @see CHK-35
 */
export function detailsView(session: Session, status: SessionStatus, surchargeAmount: Cents | null) {
  return {
    id: session.id,
    session_status: status,
    payment_status: paymentStatus(status) satisfies PaymentStatus,
    amount_total: decimalFromCents(session.amountTotal),
    amount_subtotal: optionalDecimal(session.amountSubtotal),
    amount_tax: optionalDecimal(session.amountTax),
    amount_discount: optionalDecimal(session.amountDiscount),
    currency: session.currency,
    customer_id: session.customerId ?? session.payerCustomerId,
    customer_email: session.customerEmail,
    customer_named_by: session.customerNamedBy,
    customer_name: session.customerName,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    ui_mode: session.uiMode,
    mode: session.mode,
    description: session.description,
    client_reference_id: session.clientReferenceId,
    metadata: session.metadata ?? {},
    line_items: session.lineItems ?? [],
    discounts: session.discounts ?? [],
    billing_address_collection: session.billingAddressCollection,
    shipping_address_collection: session.shippingAddressCollection,
    billing_address: session.billingAddress,
    shipping_address: session.shippingAddress,
    consent_collection: session.consentCollection,
    consent: session.consent,
    surcharge: sessionSurcharge(session, surchargeAmount),
    subscription: session.subscription && signedUpFor(session.subscription),
    subscription_id: session.subscriptionId,
    attempt_count: session.attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    last_decline: status === 'COMPLETED' ? null : session.lastDecline,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    completed_at: session.completedAt?.toISOString() ?? null,
    canceled_at: session.canceledAt?.toISOString() ?? null,
  }
}

const signedUpFor = ({ interval, start_date, name }: NonNullable<Session['subscription']>) => ({
  interval,
  start_date,
  name,
})

/** Returns the surcharge: `rate` is in percent, `amount` is set only after the payment. */
function sessionSurcharge({ surchargeRateBp }: Session, amount: Cents | null) {
  if (surchargeRateBp === null) return null
  return { rate: surchargeRateBp / 100, amount: optionalDecimal(amount) }
}

export const optionalDecimal = (amount: Cents | null) => (amount === null ? null : decimalFromCents(amount))
