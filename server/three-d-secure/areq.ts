import { emailOnTheWire, isEmailAddress } from '../lib/email-address.ts'
import type { Currency } from '../lib/money.ts'
import type { Secret } from '../vault/secret.ts'
import { accountFields } from './areq-account.ts'
import { browserFields } from './areq-browser.ts'
import { addressFields } from './areq-places.ts'
import { loadAscii, type WriteAscii } from './ascii.ts'
import type { AuthenticationReason, AuthenticationRequest } from './three-ds-server.ts'

// Messages to a 3-D Secure server that contain the card's number, in the terms of the protocol (EMV 3-D Secure). Only
// the adapter that sends them may see them.

const NUMERIC_CURRENCY: Record<Currency, string> = { USD: '840', CAD: '124' }
const NUMERIC_COUNTRY = { US: '840', CA: '124' }
/** Values of `threeDSRequestorAuthenticationInd`. */
const REASON: Record<AuthenticationReason, string> = {
  payment: '01',
  recurring: '02',
  installment: '03',
  add_card: '04',
}
/**
 * Challenge mandated: the charges that follow are made without the payer, so this is the issuer's only chance to ask.
 */
const CHALLENGE_REQUESTED = '04'
/** Values of `shipIndicator`. */
const TO_BILLING = '01'
const ELSEWHERE = '03'
/** Value of `acquirerCountryCodeSource`: the requestor's side. */
const BY_REQUESTOR = '01'
const FREQUENCY_DAYS_MAX = 9_999
const INSTALLMENTS_MAX = 999

/** Authentication request; unknown fields are absent. */
export type Areq = Record<string, unknown>

/** Returns the body of the request that asks whether a card takes part. */
export const cardLookupBody = (number: Secret) => ({ acctNumber: number.reveal() })

/** Builds the authentication request of a browser, in plain ASCII (TDS-20). */
export async function buildAreq(request: AuthenticationRequest): Promise<Areq> {
  const ascii = await loadAscii()
  const bill = addressFields('billAddr', request.billing, ascii)
  const ship = addressFields('shipAddr', request.shipping, ascii)
  const isMatch = JSON.stringify(Object.values(bill)) === JSON.stringify(Object.values(ship))
  return known({
    ...messageFields(request),
    ...cardFields(request, ascii),
    ...merchantFields(request, ascii),
    ...purchaseFields(request),
    ...recurringFields(request),
    ...browserFields(request, ascii),
    ...contactFields(request),
    ...accountFields(request),
    ...bill,
    ...ship,
    ...(Object.keys(bill).length > 0 && Object.keys(ship).length > 0 && { addrMatch: isMatch ? 'Y' : 'N' }),
    ...(Object.keys(ship).length > 0 && { merchantRiskIndicator: { shipIndicator: isMatch ? TO_BILLING : ELSEWHERE } }),
  })
}

function messageFields(request: AuthenticationRequest): Areq {
  const { messageVersion, methodCompleted, notificationUrl } = request
  const reason = reasonOf(request)
  return {
    messageType: 'AReq',
    messageVersion,
    deviceChannel: '02',
    messageCategory: messageCategoryOf(request),
    threeDSServerTransID: request.serverTransactionId,
    threeDSCompInd: methodCompleted,
    threeDSRequestorURL: requestorUrl(request),
    notificationURL: new URL(notificationUrl).href,
    threeDSRequestorAuthenticationInd: REASON[reason],
    threeDSRequestorChallengeInd: reason === 'payment' ? null : challengeIndicator(messageVersion),
  }
}

/**
 * Returns the requestor's URL, which must be HTTPS since 2.3.1. For a shop without HTTPS, the payment page's origin is
 * used, which has it in production.
 */
function requestorUrl({ messageVersion, merchant, notificationUrl }: AuthenticationRequest): string {
  const isPlain = messageVersion === '2.3.1' && !merchant.url.startsWith('https:')
  return new URL(isPlain ? new URL(notificationUrl).origin : merchant.url).href
}

/** Returns 01 for a payment, and 02 if a card is only added. */
export const messageCategoryOf = ({ reason }: Pick<AuthenticationRequest, 'reason'>): '01' | '02' =>
  reason === 'add_card' ? '02' : '01'

/** Returns the indicator; a list since 2.3.1. */
const challengeIndicator = (version: AuthenticationRequest['messageVersion']) =>
  version === '2.3.1' ? [CHALLENGE_REQUESTED] : CHALLENGE_REQUESTED

/**
 * Returns the reason as the protocol allows it: installments only with their number, and recurring payments only with
 * their frequency. What is billed once is neither: 2.3.1 requires the day of a next payment.
 */
function reasonOf({ reason, recurring }: AuthenticationRequest): AuthenticationReason {
  if (reason === 'payment' || reason === 'add_card') return reason
  if (!recurring || recurring.next === null) return 'payment'
  const count = recurring.count ?? 0
  return reason === 'installment' && count > 1 && count <= INSTALLMENTS_MAX ? 'installment' : 'recurring'
}

function cardFields({ card }: AuthenticationRequest, ascii: WriteAscii): Areq {
  const name = ascii(card.name, 45)
  return {
    acctNumber: card.number.reveal(),
    cardExpiryDate: twoDigits(card.expYear % 100) + twoDigits(card.expMonth),
    cardholderName: name && name.length > 1 ? name : null,
  }
}

function merchantFields({ merchant, messageVersion }: AuthenticationRequest, ascii: WriteAscii): Areq {
  return {
    acquirerBIN: merchant.acquirerBin,
    acquirerMerchantID: merchant.acquirerMerchantId,
    mcc: merchant.categoryCode,
    // Nothing is left of a name that consists only of emoji.
    merchantName: ascii(merchant.name, 40) ?? new URL(merchant.url).hostname.slice(0, 40),
    merchantCountryCode: NUMERIC_COUNTRY[merchant.country],
    // An acquirer serves merchants of its own country, with exceptions that the directory server corrects.
    ...(messageVersion === '2.3.1' && {
      acquirerCountryCode: NUMERIC_COUNTRY[merchant.country],
      acquirerCountryCodeSource: BY_REQUESTOR,
    }),
  }
}

function purchaseFields(request: AuthenticationRequest): Areq {
  return {
    purchaseAmount: String(request.amount),
    purchaseCurrency: NUMERIC_CURRENCY[request.currency],
    purchaseExponent: '2',
    purchaseDate: digitsOf(request.purchasedAt.toISOString()).slice(0, 14),
    // Goods or services.
    transType: messageCategoryOf(request) === '01' ? '01' : null,
  }
}

function recurringFields(request: AuthenticationRequest): Areq {
  const reason = reasonOf(request)
  const { recurring, messageVersion, amount, currency } = request
  if (!recurring || (reason !== 'recurring' && reason !== 'installment')) return {}
  return {
    recurringFrequency: String(Math.min(recurring.frequencyDays, FREQUENCY_DAYS_MAX)),
    recurringExpiry: digitsOf(recurring.until),
    purchaseInstalData: reason === 'installment' ? String(recurring.count) : null,
    ...(messageVersion === '2.3.1' && {
      // Fixed amount, fixed frequency.
      recurringInd: { amountInd: '01', frequencyInd: '01' },
      recurringAmount: String(amount),
      recurringCurrency: NUMERIC_CURRENCY[currency],
      recurringExponent: '2',
      recurringDate: digitsOf(recurring.next ?? recurring.until),
    }),
  }
}

function contactFields({ contact: { email, phone } }: AuthenticationRequest): Areq {
  const isPhone = phone && /^\d{1,3}$/.test(phone.countryCode) && /^\d{1,12}$/.test(phone.subscriber)
  return {
    email: email && isEmailAddress(email) ? emailOnTheWire(email) : null,
    mobilePhone: isPhone ? { cc: phone.countryCode, subscriber: phone.subscriber } : null,
  }
}

const known = (fields: Areq): Areq => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const twoDigits = (number: number) => String(number).padStart(2, '0')
const digitsOf = (text: string) => text.replace(/\D/g, '')
