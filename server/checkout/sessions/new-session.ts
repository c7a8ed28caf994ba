import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import type { Business } from '../../businesses/business.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { AMOUNT_CENTS_MAX, type Cents, centsFromDecimal, decimalFromCents, shareOf } from '../../lib/money.ts'
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

/** Inserts the session and makes its token. Uses up one use of the browser token, if there is one. */
export async function openSession(
  { db, sessionTokens }: CreateServices,
  { browserToken }: CreatorCaller,
  session: Session,
): Promise<{ session: Session; token: string }> {
  await browserToken?.use()
  await insertSession(db, session)
  return { session, token: sessionTokens.make(session) }
}

/** A surcharge requires a rate of the business, and the total with the surcharge must be a valid amount. @see CHK-12 */
export function checkSurcharge(
  { surcharge, amount_total: total }: { surcharge?: boolean; amount_total: number },
  { surchargeRateBp: rate }: Business,
): Record<string, string[]> {
  if (!surcharge) return {}
  if (rate === null) return { surcharge: ['is not configured for this business'] }
  const amount = centsFromDecimal(total) ?? (0 as Cents)
  if (amount + shareOf(amount, rate) <= AMOUNT_CENTS_MAX) return {}
  return { surcharge: [`would raise the amount above ${decimalFromCents(AMOUNT_CENTS_MAX as Cents)}`] }
}

/** The amount of a page must not exceed the limit that the merchant's server set for its browser token. */
export function checkBrowserAmount({ browserToken }: CreatorCaller, amountTotal: number): Record<string, string[]> {
  const max = browserToken?.amountMax ?? null
  if (max === null || (centsFromDecimal(amountTotal) ?? 0) <= max) return {}
  return { amount_total: [`must be at most ${decimalFromCents(max)}, the max_amount of the browser token`] }
}

/** @throws ApiError `validation_failed`; `origin_mismatch` when there are only mismatches */
export function refuseWrong(errors: Record<string, string[]>, mismatches: Record<string, string[]>): void {
  const code = Object.keys(errors).length > 0 ? 'validation_failed' : 'origin_mismatch'
  // For an invalid URL, its error takes precedence over the mismatch of its origin.
  const all = { ...errors, ...mismatches, ...errors }
  const [[field, texts] = [null, []]] = Object.entries(all)
  if (field === null) return
  throw new ApiError(code, { message: `${field} ${texts[0]}`, errors: all })
}

/** Builds a session from a validated create request. */
export function newSession(
  input: CheckoutSessionCreate,
  caller: CreatorCaller,
  now: Date,
  tokenKeyId: string,
): Session {
  const { business } = caller
  const { customerId, customerEmail, customerNamedBy } = namedCustomer(caller, input)
  return {
    businessId: business.id,
    id: newId(),
    clientId: caller.clientId,
    tokenKeyId,
    status: 'PENDING',
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
    customerName: input.customer_name ?? null,
    payerName: null,
    payerEmail: null,
    payerPhone: null,
    payerCustomerId: null,
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
    billingAddress: null,
    shippingAddress: null,
    consentCollection: input.consent_collection ?? null,
    consent: null,
    attemptCount: 0,
    createdAt: now,
    expiresAt: addSeconds(now, SESSION_LIFETIME_SECONDS),
    completedAt: null,
    canceledAt: null,
  }
}

/** The schema has already refused fractions of a cent. */
function cents(amount: number): Cents {
  const read = centsFromDecimal(amount)
  if (read === null) throw new Error('an amount that passed the schema is invalid')
  return read
}

const optionalCents = (amount: number | undefined) => (amount === undefined ? null : cents(amount))
