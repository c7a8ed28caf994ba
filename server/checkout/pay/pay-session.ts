import type { PayFailure, PaySuccess } from '../../../contract/checkout-form.ts'
import { findSameCard, type SameCard } from '../../customers/stored-card-queries.ts'
import type { GatewayResult, StoredCredential } from '../../gateway/gateway.ts'
import { addressForCounting } from '../../http/client-address.ts'
import { ApiError } from '../../lib/errors.ts'
import { afterIntent, beforeIntent } from '../../payments/charge/around-intent.ts'
import { sendSale } from '../../payments/charge/send-sale.ts'
import type { Card } from '../../vault/card.ts'
import { findPayable, type LoadedSession, paymentInProgress } from '../sessions/load-session.ts'
import { payerIdOf, sessionPayer } from '../sessions/session-customer.ts'
import { writeIntent } from './begin-sale.ts'
import { type BillingPlace, placeToKeep } from './billing-place.ts'
import { chooseCard } from './choose-card.ts'
import type { PayRequest } from './pay-request.ts'
import { cardToKeep, customerToMake } from './payer.ts'
import { keepsCard, type PayServices, type PendingSale } from './pending-sale.ts'
import { readPayRequest } from './read-pay-request.ts'
import { recordPayResult } from './record-pay-result.ts'
import { billingPlace, cardPlace, surchargeOf, withShipping } from './surcharge.ts'

/**
 * Pays a session with a card that was typed, or with one that is stored.
 *
 * Three steps, so that no transaction is open while the gateway is asked, and no response is lost: the intent is written down,
 * the gateway is asked, the response is written down. What a crash leaves open recovery finds.
 *
 * @throws ApiError the closed states, `payment_in_progress`, `gateway_timeout`, `gateway_unavailable`, `validation_failed`,
 *   `duplicate_card`
 * @see spec «Pay request and results», architecture «A payment, and how it cannot be lost or doubled»
 */
export async function paySession(services: PayServices, submitted: SubmittedPayment): Promise<PaySuccess | PayFailure> {
  const sale = await beforeIntent(services, () => beginPayment(services, submitted))
  return afterIntent(services, sale.operation, async () =>
    recordPayResult(services, sale, await sendSessionSale(services, sale, submitted.ip)),
  )
}

interface SubmittedPayment {
  token: string
  body: PayRequest
  ip: string
}

/** All that can be refused or can fail: a card that is to be kept is sealed here, and not once it has been charged. */
async function beginPayment(services: PayServices, { token, body, ip }: SubmittedPayment): Promise<PendingSale> {
  const open = await findPayable(services, token)
  const card = await chooseCard(services, open, body)
  const places = billingPlaces(card, body)
  const surcharge = surchargeOf(open.session, open.business, {
    funding: card.funding,
    places: withShipping(places, body.shipping_address),
  })
  const payer = readPayRequest(open, body, { ip, surcharge })
  if (open.paymentInProgress) throw paymentInProgress()
  const customerId = findPayer(open, body.customerId)
  const payerIpPrefix = addressForCounting(ip)
  const tried = {
    business: open.business,
    payerIpPrefix,
    fingerprint: services.vault.fingerprint(open.session.businessId, card.number).value,
    storedCardId: card.stored?.id ?? null,
  }
  await services.cardTesting.refuse(tried)
  const sameCard = keepsCard({ open, card }) ? await findKept(services, open, card, customerId) : null
  if (sameCard && isDuplicate(open, card, sameCard)) {
    await services.cardTesting.duplicate(tried)
    throw duplicate(open, sameCard)
  }

  const newCustomer = customerToMake({ open, card, customerId })
  const place = cardPlace(placeToKeep(places))
  const keptCard = keepsCard({ open, card }) ? await cardToKeep(services, { open, card, place, sameCard }) : null
  return writeIntent(
    services,
    { open, card, newCustomer, keptCard, customerId, surchargeAmount: surcharge.amount },
    { payer, payerIpPrefix },
  )
}

/** The typed postal code belongs to the billing address, wherever the caller wrote it. */
function billingPlaces({ place, stored }: Card, { billing_address: address = {} }: PayRequest): BillingPlace[] {
  const ofCard = billingPlace(place)
  return stored ? [ofCard, address] : [{ ...address, ...ofCard }, address]
}

/**
 * The customer it will belong to, as far as known. Anyone may send an id: only the session's own for its payer counts, and the
 * customer that it is bound to.
 */
function findPayer({ session, knownCustomerId }: LoadedSession, named: string | undefined): string | null {
  if (named !== undefined && named !== payerIdOf(session) && named !== session.customerId) {
    throw new ApiError('not_found', {
      message: 'No such customer of this session',
      errors: { customerId: ['is not of this session'] },
    })
  }
  return session.customerId ?? knownCustomerId
}

/** The card as it is on file already, when it is to be kept. */
async function findKept(
  { db, vault }: PayServices,
  { session }: LoadedSession,
  card: Card,
  customerId: string | null,
): Promise<SameCard | null> {
  if (customerId === null) return null
  const { businessId } = session
  const fingerprints = vault.fingerprints(businessId, card.number)
  return (await findSameCard(db, { businessId, customerId, fingerprints })) ?? null
}

/** The same card with the same expiry is on file. The modal charges it silently. */
function isDuplicate({ session }: LoadedSession, card: Card, known: SameCard): boolean {
  return session.uiMode !== 'rapid' && known.expMonth === card.expMonth && known.expYear === card.expYear
}

function duplicate({ session }: LoadedSession, { id, brand, last4 }: SameCard): ApiError {
  return new ApiError('duplicate_card', {
    message: 'This card is already saved. Choose the saved card, or pay without saving it.',
    errors: { cardData: ['is already saved: choose the saved card'] },
    extra: { charged: false, ...(session.customerId && { card: { id, brand, last4 } }) },
  })
}

/** Step 2: asks the gateway. */
export function sendSessionSale(services: PayServices, sale: PendingSale, ip: string): Promise<GatewayResult> {
  const { email } = sessionPayer(sale.open.session)
  const { nameOnCard: name } = sale.card
  return sendSale(services, sale.operation, {
    card: sale.card,
    customer: { ip, ...(email && { email }), ...(name && { name }) },
    ...storedCredentialOf(sale),
  })
}

/** Card networks want to know when a card begins to be kept, and when a kept one is used again. */
function storedCredentialOf(sale: PendingSale): { storedCredential?: StoredCredential } {
  const { stored } = sale.card
  const shared = { initiator: 'cardholder', reason: 'unscheduled' } as const
  if (!stored) return keepsCard(sale) ? { storedCredential: { ...shared, initial: true } } : {}
  const { networkTransactionId } = stored
  return { storedCredential: { ...shared, initial: false, ...(networkTransactionId && { networkTransactionId }) } }
}
