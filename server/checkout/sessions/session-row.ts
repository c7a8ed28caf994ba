import type { Selectable } from 'kysely'
import type { SessionStatus, UiMode } from '../../../contract/checkout-session.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { Consent, ConsentCollectionRow, DiscountRow, LineItemRow, Session } from './session.ts'

type SessionRow = Selectable<CheckoutSession>

/** A row as the rest of the folder speaks of it. */
export function sessionFrom(row: SessionRow): Session {
  return {
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
    surchargeRateBp: row.surcharge_rate_bp,
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
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
  }
}
