import { PageQuery } from '../../../contract/list.ts'
import { SubscriptionCreate, SubscriptionListQuery } from '../../../contract/subscription.ts'
import type { KeyCaller } from '../../access/keys/api-key.ts'
import { listObject, type MerchantApi } from '../../access/keys/merchant-api.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { type Limit, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { paymentObject } from '../../payments/payment.ts'
import { findSubscriptionPayment, listSubscriptionPayments } from '../../payments/payment-queries.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { findCurrentSubscription } from '../lifecycle/change-subscription.ts'
import { noSuchSubscription } from '../subscription.ts'
import { readDetails, readObject } from '../subscription-details.ts'
import { subscriptionObject } from '../subscription-object.ts'
import { findSubscription } from '../subscription-queries.ts'
import { createSubscription } from './create-subscription.ts'
import { listCurrent } from './list-current.ts'
import { SUBSCRIPTION_DOCUMENTS as documents } from './subscription-openapi.ts'

const CREATES = { name: 'subscription_create', points: 20, seconds: 60 }

export interface SubscriptionRouteServices extends ChargeServices, MerchantApi {
  letterLimit: LetterLimit
  makeRateLimiter: MakeRateLimiter
}

/** Routes that create, retrieve and list subscriptions; see docs/specification/subscriptions.md. */
export function subscriptionRoutes(services: SubscriptionRouteServices): Route[] {
  const { shared } = services
  const creates: Limit<KeyCaller> = { limiter: services.makeRateLimiter(CREATES), key: (_request, { keyId }) => keyId }
  return [
    route({
      ...shared,
      limits: [creates, ...shared.limits],
      method: 'POST',
      path: '/api/v1/subscriptions',
      scope: 'subscriptions:write',
      body: SubscriptionCreate,
      document: documents.create,
      async handle({ caller, body }) {
        const input = { business: caller.business, input: body }
        return { status: 201, body: await createSubscription(services, input) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/subscriptions',
      scope: 'subscriptions:read',
      query: SubscriptionListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const page = await listCurrent(services, caller.business, query)
        const detailsOf = await readDetails(services, page.rows)
        return { body: listObject(page, (one) => subscriptionObject(one, detailsOf(one))) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/subscriptions/{id}',
      scope: 'subscriptions:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        const which = { business: caller.business, id: params.id ?? '' }
        return { body: await readObject(services, await findCurrentSubscription(services, which)) }
      },
    }),
    ...paymentRoutes(services),
  ]
}

function paymentRoutes({ db, shared }: SubscriptionRouteServices): Route[] {
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/subscriptions/{id}/payments',
      scope: 'payments:read',
      query: PageQuery,
      document: documents.listPayments,
      async handle({ caller: { business }, params: { id = '' }, query }) {
        if (!(await findSubscription(db, business.id, id))) throw noSuchSubscription()
        const which = { businessId: business.id, subscriptionId: id }
        return { body: listObject(await listSubscriptionPayments(db, which, query), paymentObject) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/subscriptions/{id}/payments/{payment}',
      scope: 'payments:read',
      document: documents.retrievePayment,
      async handle({ caller: { business }, params: { id = '', payment = '' } }) {
        const found = await findSubscriptionPayment(db, business.id, payment)
        if (found?.subscriptionId !== id) throw noSuchPayment()
        return { body: paymentObject(found) }
      },
    }),
  ]
}

const noSuchPayment = () =>
  new ApiError('not_found', {
    message: 'No such payment',
    errors: { payment: ['does not exist in this subscription'] },
  })
