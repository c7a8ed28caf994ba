import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import type { SignUps } from '../../checkout/pay/sign-ups.ts'
import { ApiError } from '../../lib/errors.ts'
import { beforeIntent } from '../../payments/charge/around-intent.ts'
import { charge } from '../../payments/charge/charge.ts'
import { signUpCharge } from './sign-up-charge.ts'
import { formTerms, startOfSession } from './terms.ts'

/** Sessions of mode subscription, as checkout asks for them. */
export function signUps(services: SessionServices): SignUps {
  return {
    terms: async (open) => formTerms(open, null),
    async pay(payment) {
      const start = startOfSession(payment.loaded)
      if (!start.isChargedNow) {
        const message = 'A card cannot be verified in this version. Nothing was charged.'
        throw new ApiError('gateway_unavailable', { message, extra: { charged: false } })
      }
      const plan = await beforeIntent(services, async () => signUpCharge(services, payment, start))
      return charge(services, plan)
    },
  }
}
