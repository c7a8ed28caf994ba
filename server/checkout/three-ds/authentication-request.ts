import type { SignUpInterval } from '../../../contract/checkout-session.ts'
import type { DddAuthenticateRequest } from '../../../contract/three-ds.ts'
import { businessNow } from '../../businesses/business.ts'
import { findAcquirer } from '../../businesses/terminal-queries.ts'
import { findCustomer } from '../../customers/customer-queries.ts'
import type { Authentication } from '../../three-d-secure/authentication.ts'
import type {
  AuthenticationRequest,
  BrowserData,
  CustomerAccount,
  PostalPlace,
} from '../../three-d-secure/three-ds-server.ts'
import type { PostalAddress } from '../pay/pay-request.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { cardOwnerOf, sessionPayer } from '../sessions/session-customer.ts'
import { challengeDoneUrl } from './bridge-urls.ts'
import { findCustomerHistory } from './customer-history-queries.ts'
import type { AuthenticateCall, ThreeDsServices } from './three-ds-services.ts'

type RequestData = Omit<
  AuthenticationRequest,
  'serverTransactionId' | 'messageVersion' | 'methodCompleted' | 'card' | 'signal'
>

/** Returns the data of the request to the directory server, except card and transaction. */
export async function requestData(
  services: ThreeDsServices,
  call: AuthenticateCall,
  authentication: Authentication,
): Promise<RequestData> {
  const { loaded, body } = call
  const { session } = loaded
  const [purpose, merchant, contact, account] = await Promise.all([
    purposeOf(services, loaded),
    merchantOf(services, loaded),
    contactOf(services, loaded, body),
    accountOf(services, loaded, authentication),
  ])
  return {
    ...purpose,
    amount: authentication.amount,
    currency: authentication.currency,
    purchasedAt: services.clock.now(),
    merchant,
    browser: browserOf(call),
    contact,
    account,
    billing: placeOf(body.billing ?? session.billingAddress),
    shipping: placeOf(body.shipping ?? session.shippingAddress),
    notificationUrl: challengeDoneUrl(services.links, authentication),
  }
}

/** Minimum number of days between two bills. */
const FREQUENCY_DAYS: Record<SignUpInterval, number> = {
  Daily: 1,
  Weekly: 7,
  'Bi-Weekly': 14,
  Monthly: 28,
  Quarterly: 90,
  'Twice a year': 181,
  Annual: 365,
}
/** Maximum number of days between two bills, so that the last of several bills is not after the day that is sent. */
const LONGEST_DAYS: Record<SignUpInterval, number> = {
  Daily: 1,
  Weekly: 7,
  'Bi-Weekly': 14,
  Monthly: 31,
  Quarterly: 92,
  'Twice a year': 184,
  Annual: 366,
}
/** Last day sent for a subscription that runs until it is canceled, because the protocol requires one. */
const NO_LAST_DAY = '2099-12-31'
const DAY_MS = 86_400_000

/**
 * Returns the purpose of an authentication. If the card is only verified now (for later bills, a running plan or no
 * plan), the purpose is to add a card.
 */
export async function purposeOf(
  { signUps }: ThreeDsServices,
  loaded: LoadedSession,
): Promise<Pick<RequestData, 'reason' | 'recurring'>> {
  if (loaded.session.mode === 'payment') return { reason: 'payment', recurring: null }
  if (loaded.session.mode === 'setup') return { reason: 'add_card', recurring: null }
  const terms = await signUps.terms(loaded)
  if (terms.first_charge === 0) return { reason: 'add_card', recurring: null }
  const { interval, installments: count } = terms
  const days = LONGEST_DAYS[interval] * ((count ?? 1) - 1)
  const until = new Date(Date.parse(terms.first_charge_date) + days * DAY_MS).toISOString().slice(0, 10)
  return {
    reason: count === null ? 'recurring' : 'installment',
    recurring: {
      frequencyDays: FREQUENCY_DAYS[interval],
      next: terms.next_charge_date,
      until: count === null ? NO_LAST_DAY : until,
      count,
    },
  }
}

async function merchantOf(
  { db, links }: ThreeDsServices,
  { session, business, terminal }: LoadedSession,
): Promise<RequestData['merchant']> {
  const acquirer = await findAcquirer(db, session.businessId, terminal.id)
  const site = session.uiMode === 'hosted' ? session.successUrl : session.parentOrigin
  return {
    name: business.name,
    url: new URL(site || links.dashboardUrl).origin,
    country: business.country,
    acquirerBin: acquirer?.acquirerBin ?? null,
    acquirerMerchantId: acquirer?.acquirerMerchantId ?? null,
    categoryCode: acquirer?.categoryCode ?? null,
  }
}

/** Returns the data of the browser. Address and headers come from the request; the rest is what the page reports. */
function browserOf({ body: { browser }, ip, accept, acceptLanguage }: AuthenticateCall): BrowserData {
  return {
    acceptHeader: accept ?? '*/*',
    acceptLanguage,
    ip,
    javaScriptEnabled: browser.javascript_enabled ?? true,
    javaEnabled: browser.java_enabled ?? null,
    language: browser.language,
    colorDepth: browser.color_depth ?? null,
    screenHeight: browser.screen_height ?? null,
    screenWidth: browser.screen_width ?? null,
    timeZoneOffset: browser.tz ?? null,
    userAgent: browser.user_agent,
    challengeWindow: browser.challenge_window_size,
  }
}

/** Returns phone and e-mail address: that of the page, of the session, or of the customer bound to the session. */
async function contactOf(
  { db }: ThreeDsServices,
  { session }: LoadedSession,
  { contact = {} }: DddAuthenticateRequest,
): Promise<RequestData['contact']> {
  const { phone } = contact
  const given = contact.email ?? sessionPayer(session).email
  const owner = cardOwnerOf(session)
  const customer = given === null && owner !== null ? await findCustomer(db, session.businessId, owner) : undefined
  return {
    email: given ?? customer?.email ?? null,
    phone: phone ? { countryCode: phone.cc, subscriber: phone.subscriber } : null,
  }
}

/** Returns the history of a customer whom the merchant named: an e-mail address typed by a payer identifies nobody. */
async function accountOf(
  { db, clock }: ThreeDsServices,
  { session, business, knownCustomerId }: LoadedSession,
  { storedCardId: cardId }: Authentication,
): Promise<CustomerAccount | null> {
  const customerId = session.customerId ?? knownCustomerId
  if (customerId === null) return null
  const history = await findCustomerHistory(db, { businessId: session.businessId, customerId, cardId })
  return history ? { ...history, asOf: businessNow(clock, business) } : null
}

function placeOf(address: PostalAddress | null): PostalPlace | null {
  if (address === null) return null
  const { line1, line2, city, state, postal_code: postalCode, country } = address
  return { line1, line2, city, state, postalCode, country }
}
