import { PUBLIC_PATHS } from '../../http/family.ts'
import { type Route, route } from '../../http/route.ts'
import { responseOf } from '../../payments/charge/charged.ts'
import { PayRequest } from '../pay/pay-request.ts'
import type { PayServices } from '../pay/pay-services.ts'
import { paySession } from '../pay/pay-session.ts'
import { quoteSurcharge, SurchargeQuestion } from '../pay/quote-surcharge.ts'
import { findPayable } from '../sessions/load-session.ts'
import type { SessionDoor } from '../sessions/session-access.ts'
import type { Links } from '../sessions/session-view.ts'
import { checkoutFormData, sessionValidity } from './form-data.ts'
import {
  CUSTOMER_DOCUMENT,
  DATA_DOCUMENT,
  PAY_DOCUMENT,
  SURCHARGE_DOCUMENT,
  VALIDATE_DOCUMENT,
} from './form-openapi.ts'
import { identifyCustomer, SessionCustomer } from './identify-customer.ts'
import { payerLocale } from './page-locale.ts'
import { throughLink } from './through-link.ts'

export interface FormRouteServices extends PayServices {
  links: Links
  door: SessionDoor
}

/**
 * Routes of the public session paths. The token is the credential. In browsers, only pages of the payment form may call
 * them.
 */
export const formRoutes = (services: FormRouteServices): Route[] => [...readRoutes(services), ...payRoutes(services)]

function readRoutes(services: FormRouteServices): Route[] {
  const shared = { ...sharedParts(services.door), limits: services.door.reads }
  const withToken = throughLink(services)
  const payable = (params: { token?: string }) => withToken(params, (token) => findPayable(services, token))
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/checkout/{token}',
      document: VALIDATE_DOCUMENT,
      handle: async ({ params }) => ({ body: sessionValidity(await payable(params), services.links) }),
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/checkout/{token}/data',
      document: DATA_DOCUMENT,
      handle: async ({ params }) => ({ body: await checkoutFormData(services, await payable(params)) }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/surcharge',
      body: SurchargeQuestion,
      document: SURCHARGE_DOCUMENT,
      handle: async ({ params, body }) => ({
        body: await withToken(params, (token) => quoteSurcharge(services, { token, body })),
      }),
    }),
  ]
}

function payRoutes(services: FormRouteServices): Route[] {
  const shared = { ...sharedParts(services.door), limits: services.door.pays }
  const withToken = throughLink(services)
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/customer',
      body: SessionCustomer,
      document: CUSTOMER_DOCUMENT,
      async handle({ params, body }) {
        const customer = await withToken(params, (token) => identifyCustomer(services, { token, body }))
        return { body: { ok: true, message: 'Customer saved', customer } }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/checkout/{token}/pay',
      takesCardData: true,
      body: PayRequest,
      document: PAY_DOCUMENT,
      async handle({ params, body, ip, acceptLanguage }) {
        const locale = payerLocale(null, acceptLanguage)
        const charged = await withToken(params, (token) => paySession(services, { token, body, ip, locale }))
        return { body: responseOf(charged) }
      },
    }),
  ]
}

const sharedParts = ({ access, perAddress }: SessionDoor) =>
  ({ family: PUBLIC_PATHS, access, perAddress, browsers: 'form' }) as const
