import type {
  CheckoutFormData,
  FormBusiness,
  FormSavedCard,
  FormSession,
  SessionValidity,
} from '../../../contract/checkout-form.ts'
import type { Business } from '../../businesses/business.ts'
import type { Customer } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/customer-queries.ts'
import type { StoredCard } from '../../customers/stored-card.ts'
import { listStoredCards } from '../../customers/stored-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { GooglePay, GooglePayOffer } from '../../google-pay/google-pay.ts'
import { type Cents, decimalFromCents, shareOf } from '../../lib/money.ts'
import { comparedAddress } from '../../payments/check-policy.ts'
import { CHALLENGE_TIMEOUT_MS, METHOD_TIMEOUT_MS } from '../../three-d-secure/authentication.ts'
import { isPast } from '../../vault/card.ts'
import { CARD_BRANDS } from '../../vault/card-brands.ts'
import { needsAuthentication } from '../pay/payer-proof.ts'
import type { SignUps } from '../pay/sign-ups.ts'
import { isQuebecBusiness, storedCardFacts, surchargeOf } from '../pay/surcharge.ts'
import { takesGooglePay } from '../pay/wallet-token.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { returnUrl } from '../sessions/return-url.ts'
import { PAYMENT_ATTEMPTS_MAX, paymentStatus } from '../sessions/session.ts'
import { cardOwnerOf, mayKeepCard, payerIdOf } from '../sessions/session-customer.ts'
import { checkoutUrl, type Links, optionalDecimal } from '../sessions/session-view.ts'
import { logoUrl } from './logo-route.ts'

/** Returns the response of `GET /api/checkout/{token}`. */
export function sessionValidity(
  { session, token, now, paymentInProgress }: LoadedSession,
  links: Links,
): SessionValidity {
  return {
    ok: true,
    message: 'The session can be paid',
    status: session.status,
    payment_status: paymentStatus(session.status),
    ui_mode: session.uiMode,
    checkout_url: checkoutUrl(session, token, links),
    expires_at: session.expiresAt.toISOString(),
    server_time: now.toISOString(),
    payment_in_progress: paymentInProgress,
  }
}

export interface FormDataServices {
  db: Db
  links: Links
  signUps: SignUps
  googlePay: Pick<GooglePay, 'offer' | 'isSimulated'>
}

/**
 * Returns the response of `GET /api/checkout/{token}/data`: all data of the form. Stored cards are included only if the
 * merchant bound the session to the customer, because anyone can type an e-mail address.
 */
export async function checkoutFormData(
  { db, links, signUps, googlePay }: FormDataServices,
  loaded: LoadedSession,
): Promise<CheckoutFormData> {
  const { session, business } = loaded
  const owner = cardOwnerOf(session)
  const customer = owner ? await findCustomer(db, session.businessId, owner) : undefined
  // A payer who stores or replaces a card enters a new one.
  const showsCards = owner !== null && session.mode !== 'setup' && session.subscription?.replaces_card !== true
  const cards = showsCards ? await listStoredCards(db, session.businessId, owner) : []
  return {
    ok: true,
    status: session.status,
    checkout_session: {
      ...formSession(loaded),
      subscription: session.mode === 'subscription' ? await signUps.terms(loaded) : null,
    },
    business: formBusiness(business, links),
    customer: formCustomer(customer, loaded),
    saved_cards: cards.map((card) => savedCardView(card, loaded)),
    payment_methods: {
      card: {
        enabled: true,
        brands: Object.keys(CARD_BRANDS),
        can_save: mayKeepCard(session),
        compared_address: comparedAddress(business),
      },
      saved_card: { enabled: cards.length > 0, cvv_required: business.savedCardCvvRequired },
      google_pay: googlePayView(business, takesGooglePay(loaded) ? await googlePay.offer(business) : null),
    },
    three_ds: {
      enabled: needsAuthentication(business, { card: null, amount: highestTotal(loaded) }),
      method_timeout_ms: METHOD_TIMEOUT_MS,
      challenge_timeout_ms: CHALLENGE_TIMEOUT_MS,
    },
  }
}

/** Returns the Google Pay data of the page. Without an offer, the page shows no trace of it (GPY-1). */
const googlePayView = (
  { name }: Pick<Business, 'name'>,
  offer: GooglePayOffer | null,
): CheckoutFormData['payment_methods']['google_pay'] => ({
  enabled: offer !== null,
  environment: offer?.environment ?? 'TEST',
  merchant_id: offer?.merchantId ?? null,
  merchant_name: name,
  gateway: offer?.gateway ?? null,
  gateway_merchant_id: offer?.gatewayMerchantId ?? null,
  allowed_card_networks: offer?.allowedCardNetworks ?? [],
  allowed_auth_methods: offer?.allowedAuthMethods ?? [],
})

/** Returns the public data of the merchant. */
export function formBusiness(business: Business, links: Links): FormBusiness {
  return {
    id: business.id,
    name: business.name,
    logo_url: logoUrl(business, links),
    brand_color: business.brandColor,
    support_email: business.supportEmail,
    support_phone: business.supportPhone,
    terms_url: business.termsUrl,
    privacy_url: business.privacyUrl,
    country: business.country,
    color_scheme: business.colorScheme,
    corner_radius: business.cornerRadius,
    font_stack: business.fontStack,
  }
}

function formSession(loaded: LoadedSession): Omit<FormSession, 'subscription'> {
  const { session, business, token, now, paymentInProgress } = loaded
  return {
    id: session.id,
    session_status: session.status,
    payment_status: paymentStatus(session.status),
    ui_mode: session.uiMode,
    mode: session.mode,
    currency: session.currency,
    amount_total: decimalFromCents(session.amountTotal),
    amount_subtotal: optionalDecimal(session.amountSubtotal),
    amount_tax: optionalDecimal(session.amountTax),
    amount_discount: optionalDecimal(session.amountDiscount),
    description: session.description,
    line_items: (session.lineItems ?? []).map((item) => ({ ...item, image: item.image ?? null })),
    discounts: (session.discounts ?? []).map(({ name = null, code = null, amount = null, percent_off = null }) => ({
      name,
      code,
      amount,
      percent_off,
    })),
    surcharge: formSurcharge(loaded),
    billing_address_collection: session.billingAddressCollection,
    shipping_address_collection: session.shippingAddressCollection,
    consent_collection: session.consentCollection,
    attempt_count: session.attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    success_url: returnUrl(session.successUrl, token),
    cancel_url: returnUrl(session.cancelUrl, token),
    parent_origin: session.uiMode === 'hosted' ? null : session.parentOrigin,
    locale: business.locale,
    expires_at: session.expiresAt.toISOString(),
    server_time: now.toISOString(),
    payment_in_progress: paymentInProgress,
  }
}

/** Returns the highest possible total: a surcharge may raise it above the amount that requires authentication. */
function highestTotal({ session, business }: LoadedSession): Cents {
  const { surchargeRateBp, surchargeFixed, amountTotal } = session
  if (surchargeRateBp === null || isQuebecBusiness(business)) return amountTotal
  return (amountTotal + (surchargeFixed ?? shareOf(amountTotal, surchargeRateBp))) as Cents
}

/** Returns the surcharge before the card is known: then only a business in Quebec is known to have none. */
function formSurcharge({ session, business }: LoadedSession): FormSession['surcharge'] {
  const { surchargeRateBp, surchargeFixed, amountTotal } = session
  if (surchargeRateBp === null) return null
  return {
    rate: surchargeRateBp / 100,
    amount: decimalFromCents(surchargeFixed ?? shareOf(amountTotal, surchargeRateBp)),
    applies: isQuebecBusiness(business) ? false : null,
  }
}

/**
 * Returns the customer for the form, but only one whom the merchant bound to the session. Even data that others typed
 * is left out, because links are forwarded.
 */
function formCustomer(customer: Customer | undefined, { session }: LoadedSession): CheckoutFormData['customer'] {
  if (!customer)
    return session.payerEmail === null ? null : { id: payerIdOf(session), name: null, email: null, phone: null }
  const { id, name, email, phone } = customer
  return { id, name, email, phone }
}

function savedCardView(card: StoredCard, { session, business, now }: LoadedSession): FormSavedCard {
  const { applies } = surchargeOf(session, business, storedCardFacts(card))
  return {
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    name_on_card: card.nameOnCard,
    expired: isPast({ month: card.expMonth, year: card.expYear }, now),
    ...(session.surchargeRateBp !== null && { surcharge_applies: applies }),
  }
}
