import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import {
  checkAmounts,
  checkBrowserAmount,
  checkOrigins,
  checkReturnUrls,
  checkSurcharge,
  refuseWrong,
} from './check-new-session.ts'
import { type CreateServices, newSession, openSession } from './new-session.ts'
import type { Session } from './session.ts'
import { checkCustomer, requireCustomer } from './session-customer.ts'

/**
 * Creates a checkout session, for a merchant's server or its page.
 *
 * @param origin the request's `Origin` header; servers send none
 * @throws ApiError `validation_failed`, `origin_mismatch`, `not_found` (unknown customer)
 * @see CHK-6 to CHK-16
 */
export async function createSession(
  services: CreateServices,
  { caller, origin, input }: { caller: CreatorCaller; origin: string | null; input: CheckoutSessionCreate },
): Promise<{ session: Session; token: string }> {
  const { keyring, clock } = services
  const { business, redirectUrl } = caller
  const errors = {
    ...checkAmounts(input),
    ...checkBrowserAmount(caller, input.amount_total),
    ...checkCustomer(caller, input),
    ...checkRules(input, business),
    ...checkSurcharge(input, business),
    ...checkReturnUrls(input, redirectUrl),
  }
  refuseWrong(errors, checkOrigins(input, { origin, redirectUrl }))
  await requireCustomer(services, caller, input)
  return openSession(services, caller, newSession(input, caller, businessNow(clock, business), keyring.currentId))
}

/** The rules that involve several fields or the settings of the business. */
function checkRules(input: CheckoutSessionCreate, business: Business): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  if (input.consent_collection?.terms_of_service === 'required' && !business.termsUrl) {
    errors['consent_collection.terms_of_service'] = ['requires a terms URL in the business settings']
  }
  if (input.mode === 'subscription') Object.assign(errors, checkSubscription(input))
  return errors
}

function checkSubscription(input: CheckoutSessionCreate): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  if (!input.line_items?.length) errors.line_items = ['is required when mode is subscription']
  if (!input.subscription) errors.subscription = ['is required when mode is subscription']
  // This version has no subscriptions, so such a session could not be paid.
  if (Object.keys(errors).length === 0)
    errors.mode = ['subscription sessions are not available in this version; use payment']
  return errors
}
