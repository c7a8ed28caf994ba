import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { type Cents, centsFromDecimal } from '../../lib/money.ts'
import { SESSION_LIFETIME_SECONDS, type Session } from './session.ts'
import { namedCustomer } from './session-customer.ts'
import { insertSession } from './session-queries.ts'
import type { SessionTokens } from './session-token.ts'

export interface CreateServices {
  db: Db
  keyring: Keyring
  clock: Clock
  merchants: Merchants
  sessionTokens: SessionTokens
}

/** Who creates a session. If `clientId` is `null`, it is a person of the business, in the dashboard. */
export type Creator = Pick<CreatorCaller, 'business' | 'redirectOrigin' | 'browserToken'> & { clientId: string | null }
/** Input for a new session. Without URLs, the payer stays on the page. */
export type SessionInput = Omit<CheckoutSessionCreate, 'success_url' | 'cancel_url'> & {
  success_url: string | null
  cancel_url: string | null
}

/** Inserts the session and makes its token. Uses up one use of the browser token, if there is one. */
export async function openSession(
  { db, sessionTokens }: CreateServices,
  { browserToken }: Pick<Creator, 'browserToken'>,
  session: Session,
): Promise<{ session: Session; token: string }> {
  await browserToken?.use()
  await insertSession(db, session)
  return { session, token: sessionTokens.make(session) }
}

/** Fields of a session before anything is paid. */
export const UNPAID = {
  status: 'PENDING',
  surchargeFixed: null,
  payerName: null,
  payerEmail: null,
  payerPhone: null,
  payerCustomerId: null,
  billingAddress: null,
  shippingAddress: null,
  consent: null,
  subscriptionId: null,
  attemptCount: 0,
  lastDecline: null,
  verification: null,
  completedAt: null,
  canceledAt: null,
} as const satisfies Partial<Session>

/** Builds a session from a validated create request. */
export function newSession(input: SessionInput, caller: Creator, now: Date, tokenKeyId: string): Session {
  const { business } = caller
  const { customerId, customerEmail, customerNamedBy } = namedCustomer(caller, input)
  return {
    ...UNPAID,
    businessId: business.id,
    id: newId(),
    clientId: caller.clientId,
    tokenKeyId,
    uiMode: input.ui_mode ?? 'hosted',
    mode: input.mode ?? 'payment',
    currency: input.currency ?? business.currency,
    amountTotal: cents(input.amount_total),
    amountSubtotal: optionalCents(input.amount_subtotal),
    amountTax: optionalCents(input.amount_tax),
    amountDiscount: optionalCents(input.amount_discount),
    surchargeRateBp: input.surcharge ? business.surchargeRateBp : null,
    customerId,
    customerEmail,
    customerNamedBy,
    customerName: input.customer_name || null,
    successUrl: input.success_url,
    cancelUrl: input.cancel_url,
    parentOrigin: caller.redirectOrigin,
    description: input.description ?? null,
    clientReferenceId: input.client_reference_id ?? null,
    metadata: input.metadata ?? null,
    lineItems: input.line_items ?? null,
    discounts: input.discounts ?? null,
    billingAddressCollection: input.billing_address_collection ?? null,
    shippingAddressCollection: input.shipping_address_collection ?? null,
    consentCollection: input.consent_collection ?? null,
    subscription: input.mode === 'subscription' ? subscriptionRow(input) : null,
    createdAt: now,
    expiresAt: addSeconds(now, SESSION_LIFETIME_SECONDS),
  }
}

function subscriptionRow({ subscription }: SessionInput): Session['subscription'] {
  if (!subscription) throw new Error('a session of mode subscription was not checked')
  const { interval, start_date: startDate = null, name = null } = subscription
  return { interval, start_date: startDate, name }
}

/** Returns an amount in cents. The schema has already refused fractions of a cent. */
function cents(amount: number): Cents {
  const read = centsFromDecimal(amount)
  if (read === null) throw new Error('an amount that passed the schema is invalid')
  return read
}

const optionalCents = (amount: number | undefined) => (amount === undefined ? null : cents(amount))
