import type { PayResponse } from '../../../contract/checkout-form.ts'
import type { Locale } from '../../../contract/payment-page.ts'
import { setCustomerLocale } from '../../customers/customer-queries.ts'
import { addressForCounting } from '../../http/client-address.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import type { Begun, Charged } from '../../payments/charge/charged.ts'
import { type Card, readCard, withTypedCode } from '../../vault/card.ts'
import { findPayable, type LoadedSession, paymentInProgress } from '../sessions/load-session.ts'
import { payerIdOf } from '../sessions/session-customer.ts'
import { type BillingPlace, placeToKeep } from './billing-place.ts'
import { chooseCard } from './choose-card.ts'
import { cardToKeep, customerToCreate, duplicateCard, findKeptCard, isDuplicate, keepsCard } from './kept-card.ts'
import type { PayAttempt } from './pay-attempt.ts'
import type { PayRequest } from './pay-request.ts'
import type { PayServices } from './pay-services.ts'
import { takePayerProof } from './payer-proof.ts'
import { readPayRequest } from './read-pay-request.ts'
import { refuseBlocked, sessionCharge } from './session-charge.ts'
import { storeCard } from './store-card.ts'
import { billingPlace, cardPlace, fundingOfPayment, surchargeOf, withShipping } from './surcharge.ts'
import { consumeWalletToken } from './wallet-token.ts'

interface SubmittedPayment {
  token: string
  body: PayRequest
  ip: string
  /** Language of the page; `null` if the payer asked for none that we support. */
  locale: Locale | null
}

/**
 * Pays a session with a typed card, a stored card or a wallet.
 *
 * @throws ApiError an error of a closed state, `payment_in_progress`, `validation_failed`, `duplicate_card`,
 *   `google_pay_unavailable`; `session_cancelled` for a subscription that was canceled meanwhile, and is not charged
 * @see CHK-40 to CHK-45, PAY-20
 */
export async function paySession(services: PayServices, submitted: SubmittedPayment): Promise<Begun<PayResponse>> {
  const payment = await beforeIntent(services, () => checkPayment(services, submitted))
  const localeKept = keepLocale(services, payment, submitted)
  const charged = await pay(services, payment).finally(() => localeKept)
  return charged.outcome === 'blocked' ? refuseBlocked(services, payment.loaded.token) : charged
}

async function pay(services: PayServices, payment: PayAttempt): Promise<Charged<PayResponse>> {
  switch (payment.loaded.session.mode) {
    case 'payment':
      return charge(services, sessionCharge(services, payment))
    case 'subscription':
      return services.signUps.pay(payment)
    case 'setup':
      return { outcome: 'recorded', response: await beforeIntent(services, () => storeCard(services, payment)) }
  }
}

/**
 * Stores the language of the page as the language of e-mails to a known customer. Usually it is already set, and
 * nothing is written. Otherwise it is written while the gateway is called, so that it delays no payment. A failure is
 * only logged.
 */
async function keepLocale(
  { db, log }: PayServices,
  { customerId, loaded }: PayAttempt,
  { locale }: SubmittedPayment,
): Promise<void> {
  if (customerId === null || locale === null || locale === loaded.customerLocale) return
  await setCustomerLocale(db, { businessId: loaded.session.businessId, id: customerId, locale }).catch(
    (error: unknown) => log.warn({ err: error }, 'the language of a customer could not be kept'),
  )
}

/** Runs everything that can fail before the charge, including sealing a card that is to be stored. */
async function checkPayment(services: PayServices, { token, body, ip, locale }: SubmittedPayment): Promise<PayAttempt> {
  const loaded = await findPayable(services, token)
  const { session, business } = loaded
  const card = withCode(await chooseCard(services, loaded, body, readCard), loaded, body)
  const places = billingPlaces(card, body)
  const surcharge = surchargeOf(session, business, {
    funding: fundingOfPayment(card, body.amount, session),
    places: withShipping(places, body.shipping_address),
  })
  const payer = readPayRequest(loaded, body, { ip, surcharge, card })
  if (loaded.paymentInProgress) throw paymentInProgress()
  if (session.mode === 'subscription') await services.signUps.requireSignature(loaded)
  const customerId = findPayer(loaded, body.customerId)
  const payerIpPrefix = addressForCounting(ip)
  const tried = {
    business,
    payerIpPrefix,
    fingerprint: services.vault.fingerprint(session.businessId, card.number).value,
    storedCardId: card.stored?.id ?? null,
  }
  await services.cardTesting.refuse(tried)
  const isKept = keepsCard(session, card)
  const sameCard = isKept ? await findKeptCard(services, session, card, customerId) : null
  if (sameCard && isDuplicate(session, card, sameCard)) {
    await services.cardTesting.duplicate(tried)
    throw duplicateCard(loaded, sameCard)
  }
  const place = cardPlace(placeToKeep(places))
  const keptCard = isKept ? await cardToKeep(services, session, card, { place, sameCard }) : null
  const operationId = newId()
  const amount = surcharge.total
  const proof = await takePayerProof(services, { loaded, card, amount, named: body.three_ds_id, operationId })
  await consumeWalletToken(services, { loaded, card })
  return {
    operationId,
    loaded,
    card,
    proof,
    payer,
    ip,
    payerIpPrefix,
    customerId,
    newCustomer: customerToCreate(session, card, { customerId, locale }),
    keptCard,
    surchargeAmount: surcharge.amount,
  }
}

/** Returns the card with its typed code if the business currently requires it, whatever the page has asked for. */
const withCode = (card: Card, { business }: LoadedSession, body: PayRequest): Card =>
  card.stored !== null && business.savedCardCvvRequired ? withTypedCode(card, body) : card

/** Returns the known billing places of a card. A postal code in `cardData` is part of the billing address. */
export function billingPlaces(
  { place, stored }: Card,
  { billing_address: address = {} }: Pick<PayRequest, 'billing_address'>,
): BillingPlace[] {
  const ofCard = billingPlace(place)
  return stored ? [ofCard, address] : [{ ...address, ...ofCard }, address]
}

/**
 * Returns the known customer of the payment, or `null`. The caller may only send the session's own payer id or the id
 * of the customer to whom the session is bound.
 */
function findPayer({ session, knownCustomerId }: LoadedSession, named: string | undefined): string | null {
  if (named !== undefined && named !== payerIdOf(session) && named !== session.customerId) {
    throw new ApiError('not_found', {
      message: 'No such customer of this session',
      errors: { customerId: ['does not belong to this session'] },
    })
  }
  return session.customerId ?? knownCustomerId
}
