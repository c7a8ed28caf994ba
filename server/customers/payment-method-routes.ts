import { PageQuery } from '../../contract/list.ts'
import { PaymentMethodListQuery } from '../../contract/payment-method.ts'
import { listObject, type MerchantApi } from '../access/keys/merchant-api.ts'
import { type Route, route } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { noSuchCustomer } from './customer.ts'
import { customerExists } from './customer-queries.ts'
import { detachPaymentMethod } from './detach-payment-method.ts'
import { noSuchPaymentMethod, paymentMethodObject } from './payment-method.ts'
import { PAYMENT_METHOD_DOCUMENTS as documents } from './payment-method-openapi.ts'
import { findPaymentMethod, listPaymentMethods } from './payment-method-queries.ts'

/** Routes that read and detach stored cards. Cards can be stored only on the hosted form. */
export function paymentMethodRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/payment_methods',
      scope: 'customers:read',
      query: PaymentMethodListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const whose = { businessId: caller.business.id, customerId: query.customer }
        return { body: listObject(await listPaymentMethods(db, whose, query), paymentMethodObject) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/customers/{id}/payment_methods',
      scope: 'customers:read',
      query: PageQuery,
      document: documents.listOfCustomer,
      async handle({ caller, params, query }) {
        const whose = { businessId: caller.business.id, customerId: params.id ?? '' }
        if (!(await customerExists(db, whose.businessId, whose.customerId))) throw noSuchCustomer()
        return { body: listObject(await listPaymentMethods(db, whose, query), paymentMethodObject) }
      },
    }),
    ...onePaymentMethodRoutes(api),
    ...refusingRoutes(shared),
  ]
}

function onePaymentMethodRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/payment_methods/{id}',
      scope: 'customers:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        const card = await findPaymentMethod(db, caller.business.id, params.id ?? '')
        if (!card) throw noSuchPaymentMethod()
        return { body: paymentMethodObject(card) }
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: '/api/v1/payment_methods/{id}',
      scope: 'customers:write',
      document: documents.detach,
      async handle({ caller, params }) {
        const wanted = { business: caller.business, id: params.id ?? '' }
        return { body: paymentMethodObject(await detachPaymentMethod(api, wanted)) }
      },
    }),
  ]
}

/** Routes that explain why a payment method cannot be created here, instead of a bare 405. */
function refusingRoutes(shared: MerchantApi['shared']): Route[] {
  const paths = ['/api/v1/payment_methods', '/api/v1/customers/{id}/payment_methods']
  return paths.map((path) => route({ ...shared, method: 'POST', path, onlyRefuses: true, handle: refuseCreation }))
}

/** Refuses a request without card data. Card data has already been refused by then, as on every path. */
function refuseCreation(): never {
  throw new ApiError('method_not_allowed', {
    message:
      'Payment methods are created on the hosted form only: create a checkout session and let the payer save the card',
    headers: { allow: 'GET, HEAD' },
  })
}
