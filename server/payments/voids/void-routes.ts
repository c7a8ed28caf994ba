import { VoidCreate } from '../../../contract/void.ts'
import type { MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Route, route } from '../../http/route.ts'
import { paymentObject } from '../payment.ts'
import { type RefundRouteServices, requireSubscriptionPayment } from '../refunds/refund-routes.ts'
import { VOID_DOCUMENT } from './void-openapi.ts'
import { voidPayment } from './void-payment.ts'

/** Void routes of docs/specification/refunds-voids-batches.md; only for subscription payments, like refunds (REF-1). */
export function voidRoutes({ shared }: MerchantApi, services: RefundRouteServices): Route[] {
  const perMinute = services.makeRateLimiter({ name: 'void', points: 5, seconds: 60 })
  return [
    route({
      ...shared,
      limits: [...shared.limits, { limiter: perMinute, key: (_request, { keyId }) => keyId }],
      method: 'POST',
      path: '/api/v1/voids',
      scope: 'voids',
      body: VoidCreate,
      document: VOID_DOCUMENT,
      async handle({ caller, body }) {
        await requireSubscriptionPayment(services, caller, body.payment)
        const payment = await voidPayment(services, { business: caller.business, paymentId: body.payment })
        return { body: paymentObject(payment) }
      },
    }),
  ]
}
