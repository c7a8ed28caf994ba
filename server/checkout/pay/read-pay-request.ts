import { needsPostalCode } from '../../../contract/address-parts.ts'
import { ApiError } from '../../lib/errors.ts'
import { centsFromDecimal, decimalFromCents } from '../../lib/money.ts'
import { comparedAddress } from '../../payments/check-policy.ts'
import type { Card } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { checkAddress, postalCodeFault, tidyAddress } from './check-address.ts'
import type { PayRequest } from './pay-request.ts'
import type { PayerInput } from './session-charge-queries.ts'
import { type Surcharge, surchargeView } from './surcharge.ts'

type Errors = Record<string, string[]>

/**
 * Validates a pay request before anything is recorded.
 *
 * @throws ApiError `validation_failed`
 * @param card the card, which is already validated
 * @see CHK-40, CHK-43, CHK-61
 */
export function readPayRequest(
  loaded: LoadedSession,
  body: PayRequest,
  { ip, surcharge, card }: { ip: string; surcharge: Surcharge; card: Card },
): PayerInput {
  const errors: Errors = {
    ...checkAmount(body, surcharge),
    ...checkConsents(loaded, body),
    ...checkAddresses(loaded, body),
    ...checkComparedAddress(loaded, card, body),
  }
  requireValid(loaded, errors, surcharge)
  return {
    consent: consentOf(loaded, body, ip),
    billingAddress: body.billing_address ? tidyAddress(body.billing_address) : null,
    shippingAddress: body.shipping_address ? tidyAddress(body.shipping_address) : null,
  }
}

/**
 * Validates only the amount.
 *
 * @throws ApiError `validation_failed`
 */
export function requireAmount(loaded: LoadedSession, body: Pick<PayRequest, 'amount'>, surcharge: Surcharge): void {
  requireValid(loaded, checkAmount(body, surcharge), surcharge)
}

/** Throws if there are errors. The error for a wrong amount contains the surcharge that the amount must include. */
function requireValid(loaded: LoadedSession, errors: Errors, surcharge: Surcharge): void {
  const [[field, texts] = [null, []]] = Object.entries(errors)
  if (field === null) return
  const extra = errors.amount &&
    loaded.session.surchargeRateBp !== null && { surcharge: surchargeView(loaded, surcharge) }
  throw new ApiError('validation_failed', { message: `${field} ${texts[0]}`, errors, ...(extra && { extra }) })
}

/** Requires that the amount shown by the form equals the amount that is charged. */
function checkAmount({ amount }: Pick<PayRequest, 'amount'>, { applies, total }: Surcharge): Errors {
  if (centsFromDecimal(amount) === total) return {}
  const due = decimalFromCents(total).toFixed(2)
  return { amount: [`must be ${due}, the total of the session${applies ? ' including the surcharge' : ''}`] }
}

function checkConsents({ session }: LoadedSession, { consents }: PayRequest): Errors {
  const isRequired = session.consentCollection?.terms_of_service === 'required'
  if (!isRequired || consents?.terms_of_service === true) return {}
  return { 'consents.terms_of_service': ['must be accepted'] }
}

function checkAddresses({ session }: LoadedSession, { billing_address, shipping_address }: PayRequest): Errors {
  return {
    ...checkAddress('billing_address', billing_address, session.billingAddressCollection === 'required'),
    ...checkAddress('shipping_address', shipping_address, session.shippingAddressCollection === 'required'),
  }
}

/**
 * Requires the address parts that the issuer compares. An omitted part would pass as "not compared", and a postal code
 * that is not valid in the country would never match.
 */
function checkComparedAddress(
  { business }: LoadedSession,
  { place, line1, stored, wallet }: Card,
  { billing_address: { country } = {} }: PayRequest,
): Errors {
  const compared = comparedAddress(business)
  if (compared === 'none' || stored !== null || wallet !== null) return {}
  // In a country without postal codes, the street is required instead. Otherwise, naming one would skip the check.
  const isWithoutCode = place.postalCode === null && !needsPostalCode(country)
  const missing = isWithoutCode ? null : 'is required'
  const wrongCode = place.postalCode === null ? missing : postalCodeFault(country, place.postalCode)
  return {
    ...(wrongCode !== null && { 'cardData.address.postalCode': [wrongCode] }),
    ...((compared === 'street' || isWithoutCode) && line1 === null && { 'cardData.address.line1': ['is required'] }),
  }
}

function consentOf({ session, now }: LoadedSession, { consents }: PayRequest, ip: string): PayerInput['consent'] {
  const collected = session.consentCollection
  const asksTerms = collected?.terms_of_service === 'required'
  const asksPromotions = collected?.promotions === 'auto'
  if (!asksTerms && !asksPromotions) return null
  return {
    terms_of_service: asksTerms ? 'accepted' : null,
    promotions: asksPromotions ? (consents?.promotions ? 'opt_in' : 'opt_out') : null,
    accepted_at: now.toISOString(),
    ip,
  }
}
