import type { FastifyRequest } from 'fastify'
import { addressForCounting } from '../http/client-address.ts'
import type { MakeRateLimiter } from '../http/rate-limit.ts'
import { everybody, type Limit, type Route, route } from '../http/route.ts'
import { askForSurcharge, SurchargeQuestion } from './ask-surcharge.ts'
import { findPayable } from './find-payable.ts'
import { checkoutFormData, sessionValidity } from './form-data.ts'
import {
  CUSTOMER_DOCUMENT,
  DATA_DOCUMENT,
  PAY_DOCUMENT,
  SURCHARGE_DOCUMENT,
  VALIDATE_DOCUMENT,
} from './form-documents.ts'
import { identifyCustomer, SessionCustomer } from './identify-customer.ts'
import { PayRequest } from './pay-request.ts'
import { paySession } from './pay-session.ts'
import type { PayServices } from './pending-sale.ts'
import type { Links } from './session-view.ts'

export interface FormRouteServices extends PayServices {
  links: Links
  makeRateLimiter: MakeRateLimiter
}

/** The public session paths: the token is the credential, and only the payment form's pages may call them in a browser. */
export function formRoutes(services: FormRouteServices): Route[] {
  const { links, makeRateLimiter } = services
  const reads: Limit<null>[] = [
    {
      limiter: makeRateLimiter({ name: 'form', points: 60, seconds: 60 }),
      key: (request) => `${tokenOf(request)} ${addressOf(request)}`,
    },
  ]
  const pays = payLimits(makeRateLimiter)
  const shared = { access: everybody, browsers: 'form' as const }
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/checkout/{token}',
      limits: reads,
      document: VALIDATE_DOCUMENT,
      handle: async ({ params }) => ({ body: sessionValidity(await findPayable(services, params.token ?? ''), links) }),
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/checkout/{token}/data',
      limits: reads,
      document: DATA_DOCUMENT,
      handle: async ({ params }) => ({
        body: await checkoutFormData(services.db, await findPayable(services, params.token ?? ''), links),
      }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/surcharge',
      limits: reads,
      body: SurchargeQuestion,
      document: SURCHARGE_DOCUMENT,
      handle: async ({ params, body }) => ({
        body: await askForSurcharge(services, { token: params.token ?? '', body }),
      }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/customer',
      limits: pays,
      body: SessionCustomer,
      document: CUSTOMER_DOCUMENT,
      async handle({ params, body }) {
        const customer = await identifyCustomer(services, { token: params.token ?? '', body })
        return { body: { ok: true, message: 'Customer saved', customer } }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/pay',
      limits: pays,
      takesCardData: true,
      body: PayRequest,
      document: PAY_DOCUMENT,
      handle: async ({ params, body, ip }) => ({
        body: await paySession(services, { token: params.token ?? '', body, ip }),
      }),
    }),
  ]
}

/** Contract 12. The same counters for the form without JavaScript. */
export function payLimits(makeRateLimiter: MakeRateLimiter): Limit<null>[] {
  return [
    { limiter: makeRateLimiter({ name: 'pay-token', points: 10, seconds: 60 }), key: tokenOf },
    { limiter: makeRateLimiter({ name: 'pay-ip', points: 30, seconds: 60 }), key: addressOf },
  ]
}

const tokenOf = (request: FastifyRequest) => (request.params as { token?: string }).token ?? ''
const addressOf = (request: FastifyRequest) => addressForCounting(request.ip)
