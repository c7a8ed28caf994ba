import { findBusiness } from '../../businesses/business-queries.ts'
import type { SessionPayment } from '../../checkout/pay/session-payment.ts'
import type { OpenedLink, SignUps } from '../../checkout/pay/sign-ups.ts'
import type { SessionPlace } from '../../checkout/sessions/session-token.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { requireSigned } from '../contract.ts'
import { signContract } from '../contracts/change-contract.ts'
import type { DetailServices } from '../subscription-details.ts'
import { subscriptionOfCardLink } from '../subscription-link.ts'
import { findSubscription } from '../subscription-queries.ts'
import { openCardLink } from './open-card-link.ts'
import { type LinkServices, openLink } from './open-link.ts'
import { signUpCharge } from './sign-up-charge.ts'
import { formTerms, startOfSession } from './terms.ts'
import { verifySignUp } from './verified-sign-up.ts'

/** Sessions of mode subscription, as checkout asks for them. */
export function signUps(services: LinkServices & DetailServices): SignUps {
  return {
    async terms(open) {
      const { businessId, subscriptionId } = open.session
      const waiting =
        subscriptionId === null ? undefined : await findSubscription(services.db, businessId, subscriptionId)
      return formTerms(open, waiting?.subscription.installments ?? null)
    },
    async pay(payment) {
      const start = startOfSession(payment.loaded)
      await beforeIntent(services, () => requireSignature(services, payment))
      if (!start.isChargedNow) return beforeIntent(services, () => verifySignUp(services, payment, start))
      const plan = await beforeIntent(services, () => signUpCharge(services, payment, start))
      return charge(services, plan)
    },
    openLink: (place) => openAnyLink(services, place),
    async sign({ businessId, id }, by) {
      const business = await findBusiness(services.db, businessId)
      if (!business) throw new Error('the business of a contract is missing')
      await signContract(services, { business, id }, by)
    },
  }
}

/** The page of a subscription, of its card, or of a contract. */
async function openAnyLink(services: LinkServices, place: SessionPlace): Promise<OpenedLink | null> {
  const subscriptionId = subscriptionOfCardLink(place.id)
  return subscriptionId === null
    ? openLink(services, place)
    : openCardLink(services, { businessId: place.businessId, id: subscriptionId })
}

/** @throws ApiError `contract_unsigned` */
async function requireSignature({ db }: LinkServices, { loaded: { session } }: SessionPayment): Promise<void> {
  const { businessId, subscriptionId } = session
  const found = subscriptionId === null ? undefined : await findSubscription(db, businessId, subscriptionId)
  if (found) requireSigned(found)
}
