import type { Selectable } from 'kysely'
import type { SessionStatus, UiMode } from '../../../contract/checkout-session.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type {
  Consent,
  ConsentCollectionRow,
  DiscountRow,
  LastDecline,
  LineItemRow,
  Session,
  SessionSubscriptionRow,
  SessionVerification,
} from './session.ts'

/** Columns of a session that are read. */
export const SESSION_COLUMNS = [
  'business_id',
  'id',
  'client_id',
  'token_key_id',
  'status',
  'ui_mode',
  'mode',
  'currency',
  'amount_total',
  'amount_subtotal',
  'amount_tax',
  'amount_discount',
  'surcharge_rate_bp',
  'customer_id',
  'customer_email',
  'customer_name',
  'customer_named_by',
  'payer_name',
  'payer_email',
  'payer_phone',
  'payer_customer_id',
  'success_url',
  'cancel_url',
  'parent_origin',
  'description',
  'client_reference_id',
  'metadata',
  'line_items',
  'discounts',
  'billing_address_collection',
  'shipping_address_collection',
  'billing_address',
  'shipping_address',
  'consent_collection',
  'consent',
  'subscription',
  'subscription_id',
  'attempt_count',
  'last_decline',
  'verification',
  'created_at',
  'expires_at',
  'completed_at',
  'canceled_at',
] as const satisfies (keyof CheckoutSession)[]

export type SessionRow = Pick<Selectable<CheckoutSession>, (typeof SESSION_COLUMNS)[number]>

/** Converts a row to a session. */
export function sessionFrom(row: SessionRow): Session {
  return {
    ...subscriptionFrom(row),
    businessId: row.business_id,
    id: row.id,
    clientId: row.client_id,
    tokenKeyId: row.token_key_id,
    status: row.status as SessionStatus,
    uiMode: row.ui_mode as UiMode,
    mode: row.mode as Session['mode'],
    currency: row.currency as Currency,
    amountTotal: row.amount_total as Cents,
    amountSubtotal: row.amount_subtotal as Cents | null,
    amountTax: row.amount_tax as Cents | null,
    amountDiscount: row.amount_discount as Cents | null,
    customerId: row.customer_id,
    customerEmail: row.customer_email,
    customerName: row.customer_name,
    customerNamedBy: row.customer_named_by as Session['customerNamedBy'],
    payerName: row.payer_name,
    payerEmail: row.payer_email,
    payerPhone: row.payer_phone,
    payerCustomerId: row.payer_customer_id,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    parentOrigin: row.parent_origin,
    description: row.description,
    clientReferenceId: row.client_reference_id,
    metadata: row.metadata as Session['metadata'],
    lineItems: row.line_items as LineItemRow[] | null,
    discounts: row.discounts as DiscountRow[] | null,
    billingAddressCollection: row.billing_address_collection as Session['billingAddressCollection'],
    shippingAddressCollection: row.shipping_address_collection as Session['shippingAddressCollection'],
    billingAddress: row.billing_address as Session['billingAddress'],
    shippingAddress: row.shipping_address as Session['shippingAddress'],
    consentCollection: row.consent_collection as ConsentCollectionRow | null,
    consent: row.consent as Consent | null,
    subscriptionId: row.subscription_id,
    attemptCount: row.attempt_count,
    lastDecline: row.last_decline as LastDecline | null,
    verification: row.verification as SessionVerification | null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
  }
}

/** Returns what the payer signs up for, and the surcharge: the subscription's own, if it has one. */
function subscriptionFrom(row: SessionRow): Pick<Session, 'subscription' | 'surchargeRateBp' | 'surchargeFixed'> {
  const subscription = row.subscription as SessionSubscriptionRow | null
  const surcharge = subscription?.surcharge
  return {
    subscription,
    surchargeRateBp: surcharge ? surcharge.rate_ppm / 100 : row.surcharge_rate_bp,
    surchargeFixed: surcharge ? (surcharge.amount as Cents) : null,
  }
}
