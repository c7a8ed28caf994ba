import type { CheckoutSessionCreate } from '../../contract/checkout-session.ts'
import type { BearerCaller } from '../access/bearer.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import { customerExists } from '../customers/customer-queries.ts'
import type { Db } from '../db/connection.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import { type Cents, centsFromDecimal } from '../lib/money.ts'
import { SESSION_LIFETIME_SECONDS, type Session } from './session.ts'
import { checkAmounts } from './session-amounts.ts'
import { checkOrigins, checkReturnUrls } from './session-origin.ts'
import { insertSession } from './session-queries.ts'
import { sessionToken, sessionTokenHash } from './session-token.ts'

export interface CreateServices {
  db: Db
  keyring: Keyring
  clock: Clock
}

/**
 * Creates a checkout session for a merchant's server.
 *
 * @param origin the request's `Origin` header; servers send none
 * @throws ApiError `validation_failed`, `origin_mismatch`, `not_found` (unknown customer)
 * @see spec «Checkout session creation input», «Create rules»
 */
export async function createSession(
  { db, keyring, clock }: CreateServices,
  { caller, origin, input }: { caller: BearerCaller; origin: string | null; input: CheckoutSessionCreate },
): Promise<{ session: Session; token: string }> {
  const { business } = caller
  const { redirectUrl } = caller
  const errors = { ...checkAmounts(input), ...checkRules(input, business), ...checkReturnUrls(input, redirectUrl) }
  refuseWrong(errors, checkOrigins(input, { origin, redirectUrl }))
  if (input.customer_id && !(await customerExists(db, business.id, input.customer_id))) {
    throw new ApiError('not_found', {
      message: 'No such customer',
      errors: { customer_id: ['is not a customer of this business'] },
    })
  }
  const session = newSession(input, caller, businessNow(clock, business), keyring.currentId)
  const token = sessionToken(keyring, session.id, session.tokenKeyId)
  await insertSession(db, session, sessionTokenHash(token))
  return { session, token }
}

/** Rules of the input table that join fields, and those of the business. */
function checkRules(input: CheckoutSessionCreate, business: Business): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  if (!input.customer_id && !input.customer_email) {
    errors.customer_email = ['is required when customer_id is absent']
  }
  if (input.surcharge && business.surchargeRateBp === null) {
    errors.surcharge = ['is not configured for this business']
  }
  if (input.consent_collection?.terms_of_service === 'required' && !business.termsUrl) {
    errors['consent_collection.terms_of_service'] = ['needs a terms URL in the business settings']
  }
  if (input.mode === 'subscription') Object.assign(errors, checkSubscription(input))
  return errors
}

function checkSubscription(input: CheckoutSessionCreate): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  if (!input.line_items?.length) errors.line_items = ['is required when mode is subscription']
  if (!input.subscription) errors.subscription = ['is required when mode is subscription']
  // The recurring engine is not part of this version: better refused now than a session that nobody can pay.
  if (Object.keys(errors).length === 0)
    errors.mode = ['subscription sessions are not available in this version; use payment']
  return errors
}

function refuseWrong(errors: Record<string, string[]>, mismatches: Record<string, string[]>): void {
  const code = Object.keys(errors).length > 0 ? 'validation_failed' : 'origin_mismatch'
  // An unsound URL is told to be that, and not to be elsewhere as well.
  const all = { ...errors, ...mismatches, ...errors }
  const [[field, texts] = [null, []]] = Object.entries(all)
  if (field === null) return
  throw new ApiError(code, { message: `${field} ${texts[0]}`, errors: all })
}

function newSession(input: CheckoutSessionCreate, caller: BearerCaller, now: Date, tokenKeyId: string): Session {
  const { business } = caller
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
    customerId: input.customer_id ?? null,
    customerEmail: input.customer_id ? null : (input.customer_email ?? null),
    customerName: input.customer_name ?? null,
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
    consentCollection: input.consent_collection ?? null,
    consent: null,
    attemptCount: 0,
    createdAt: now,
    expiresAt: addSeconds(now, SESSION_LIFETIME_SECONDS),
    completedAt: null,
    canceledAt: null,
  }
}

/** The schema has checked it: a fraction of a cent cannot come this far. */
function cents(amount: number): Cents {
  const read = centsFromDecimal(amount)
  if (read === null) throw new Error('An amount passed the schema and is none')
  return read
}

const optionalCents = (amount: number | undefined) => (amount === undefined ? null : cents(amount))
