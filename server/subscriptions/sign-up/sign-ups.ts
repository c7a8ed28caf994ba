import type { SignUps } from '../../checkout/pay/sign-ups.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
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
      if (!start.isChargedNow) return beforeIntent(services, () => verifySignUp(services, payment, start))
      const plan = await beforeIntent(services, () => signUpCharge(services, payment, start))
      return charge(services, plan)
    },
    openLink: (place) => openLink(services, place),
  }
}
