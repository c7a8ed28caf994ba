import { RefundCreate, RefundListQuery } from '../../../contract/refund.ts'
import type { KeyCaller } from '../../access/keys/api-key.ts'
import { listObject, type MerchantApi } from '../../access/keys/merchant-api.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { type Route, route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { findPayment } from '../payment-queries.ts'
import type { SendingServices } from '../services.ts'
import { noSuchPayment } from './begin-refund.ts'
import { noSuchRefund, refundObject } from './refund.ts'
import { REFUND_DOCUMENTS as documents } from './refund-openapi.ts'
import { refundPayment } from './refund-payment.ts'
import { findRefund, listSubscriptionRefunds } from './refund-queries.ts'

export interface RefundRouteServices extends SendingServices {
  makeRateLimiter: MakeRateLimiter
}

/** Refund routes of docs/specification/refunds-voids-batches.md; only for subscription payments (REF-1). */
export function refundRoutes({ db, shared }: MerchantApi, services: RefundRouteServices): Route[] {
  const perMinute = services.makeRateLimiter({ name: 'refund', points: 5, seconds: 60 })
  return [
    route({
      ...shared,
      limits: [...shared.limits, { limiter: perMinute, key: (_request, { keyId }) => keyId }],
      method: 'POST',
      path: '/api/v1/refunds',
      scope: 'refunds',
      body: RefundCreate,
      document: documents.create,
      async handle({ caller, body }) {
        await requireSubscriptionPayment(services, caller, body.payment)
        const amount = (body.amount ?? null) as Cents | null
        const refund = await refundPayment(services, { business: caller.business, paymentId: body.payment, amount })
        return { status: 201, body: refundObject(refund) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/refunds',
      scope: 'payments:read',
      query: RefundListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const which = { businessId: caller.business.id, paymentId: query.payment }
        return { body: listObject(await listSubscriptionRefunds(db, which, query), refundObject) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/refunds/{id}',
      scope: 'payments:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        const refund = await findRefund(db, caller.business.id, params.id ?? '')
        if (refund?.subscriptionId == null) throw noSuchRefund()
        return { body: refundObject(refund) }
      },
    }),
  ]
}

/**
 * @throws ApiError `not_found`; `validation_failed` if the payment belongs to a session or a saved-card sale
 * @see REF-1
 */
export async function requireSubscriptionPayment(
  { db }: Pick<SendingServices, 'db'>,
  { business }: Pick<KeyCaller, 'business'>,
  id: string,
): Promise<void> {
  const payment = await findPayment(db, business.id, id)
  if (!payment) throw noSuchPayment()
  if (payment.subscriptionId !== null) return
  throw invalidField('payment', 'is not a payment of a subscription: refund or void it in the dashboard')
}
