import { findBusiness } from '../../businesses/business-queries.ts'
import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import type { OpenedLink, SignUps } from '../../checkout/pay/sign-ups.ts'
import { isCustomerCardLinkId } from '../../checkout/sessions/customer-card-link.ts'
import type { LoadedSession } from '../../checkout/sessions/load-session.ts'
import { openCustomerCardLink } from '../../checkout/sessions/open-customer-card-link.ts'
import type { SessionPlace } from '../../checkout/sessions/session-token.ts'
import { setCardAuthentication } from '../../customers/card-authentication-queries.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { requireSigned } from '../contract.ts'
import { signContract } from '../contracts/change-contract.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
import { findReplacement } from './find-replacement.ts'
import { type LinkServices, openLink } from './open-link.ts'
import { signUpCharge } from './sign-up-charge.ts'
import { formTerms, startOfSession } from './terms.ts'
import { verifySignUp } from './verified-sign-up.ts'

/** Implements what checkout needs for sessions of mode subscription. */
export function signUps(services: LinkServices & DetailServices): SignUps {
  return {
    async terms(open) {
      const { businessId, subscriptionId } = open.session
      const waiting =
        subscriptionId === null ? undefined : await findSubscription(services.db, businessId, subscriptionId)
      return formTerms(open, waiting?.subscription.installments ?? null)
    },
    requireSignature: (loaded) => requireSignature(services, loaded),
    async pay(payment) {
      const start = startOfSession(payment.loaded)
      const charged = start.isChargedNow
        ? await charge(services, await beforeIntent(services, () => signUpCharge(services, payment, start)))
        : {
            outcome: 'recorded' as const,
            response: await beforeIntent(services, () => verifySignUp(services, payment, start)),
          }
      if (charged.outcome === 'recorded' && charged.response.ok) await keepAuthentication(services, payment)
      return charged
    },
    openLink: (place) => openAnyLink(services, place),
    async sign({ businessId, id }, by) {
      const business = await findBusiness(services.db, businessId)
      if (!business) throw new Error('the business of a contract is missing')
      await signContract(services, { business, id }, by)
    },
  }
}

/** Opens the page of a subscription, of its card, of a contract, or of a card without a subscription. */
async function openAnyLink(services: LinkServices, place: SessionPlace): Promise<OpenedLink | null> {
  return isCustomerCardLinkId(place.id)
    ? openCustomerCardLink(services, place, findReplacement(services))
    : openLink(services, place)
}

/**
 * Links a saved card to its newest authentication; a card that is stored with the payment is linked already. No payment
 * depends on this (TDS-26).
 */
async function keepAuthentication({ db, log }: LinkServices, { loaded, card, proof }: PayAttempt): Promise<void> {
  const { dsTransactionId } = proof ?? {}
  if (!card.stored || !dsTransactionId) return
  const { businessId } = loaded.session
  await setCardAuthentication(db, { businessId, id: card.stored.id, dsTransactionId }).catch((error: unknown) =>
    log.warn({ err: error, businessId }, 'the authentication of a saved card could not be kept'),
  )
}

/** @throws ApiError `contract_unsigned` */
async function requireSignature({ db }: LinkServices, { session }: LoadedSession): Promise<void> {
  const { businessId, subscriptionId } = session
  const found = subscriptionId === null ? undefined : await findSubscription(db, businessId, subscriptionId)
  if (found) requireSigned(found)
}
