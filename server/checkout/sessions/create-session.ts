import { Temporal } from 'temporal-polyfill'
import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import {
  checkAmounts,
  checkBrowserAmount,
  checkOrigins,
  checkReturnUrls,
  checkSurcharge,
  requireValid,
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
  const now = businessNow(clock, business)
  const errors = {
    ...checkAmounts(input),
    ...checkBrowserAmount(caller, input.amount_total),
    ...checkCustomer(caller, input),
    ...checkRules(input, caller, now),
    ...checkSurcharge(input, business),
    ...checkReturnUrls(input, redirectUrl),
  }
  requireValid(errors, checkOrigins(input, { origin, redirectUrl }))
  await requireCustomer(services, caller, input)
  return openSession(services, caller, newSession(input, caller, now, keyring.currentId))
}

/** Checks the rules that involve several fields or the settings of the business. */
function checkRules(input: CheckoutSessionCreate, caller: CreatorCaller, now: Date): Record<string, string[]> {
  const { business } = caller
  const errors: Record<string, string[]> = {}
  if (input.consent_collection?.terms_of_service === 'required' && !business.termsUrl) {
    errors['consent_collection.terms_of_service'] = ['requires a terms URL in the business settings']
  }
  if (input.mode === 'subscription') Object.assign(errors, checkSubscription(input, caller, now))
  return errors
}

/** @see CHK-18, CHK-51 */
function checkSubscription(
  { line_items, subscription }: CheckoutSessionCreate,
  { browserToken, business }: CreatorCaller,
  now: Date,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  if (!line_items?.length) errors.line_items = ['is required when mode is subscription']
  if (!subscription) errors.subscription = ['is required when mode is subscription']
  if (subscription?.start_date && subscription.start_date > lastStart(business, now))
    errors['subscription.start_date'] = ['must be at most a year ahead']
  // The card is stored for the customer, and an e-mail address that somebody typed on a page identifies nobody.
  if (browserToken && !browserToken.customer)
    errors.mode = ['needs a customer; bind the browser token to the customer on your server']
  return errors
}

/** Returns the day one year from today, in the time zone of the business. */
function lastStart({ timeZone }: Business, now: Date): string {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return today.add({ years: 1 }).toString()
}
