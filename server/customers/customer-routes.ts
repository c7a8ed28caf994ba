import { CustomerCreate, CustomerListQuery, CustomerUpdate } from '../../contract/customer.ts'
import { listObject, type MerchantApi } from '../access/keys/merchant-api.ts'
import { type Route, route } from '../http/route.ts'
import { changeCustomer } from './change-customer.ts'
import { createCustomer } from './create-customer.ts'
import { customerObject, noSuchCustomer } from './customer.ts'
import { CUSTOMER_DOCUMENTS as documents } from './customer-openapi.ts'
import { findCustomer, listCustomers } from './customer-queries.ts'

/** Customer routes of docs/specification/customers-and-saved-cards.md. */
export function customerRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/customers',
      scope: 'customers:write',
      body: CustomerCreate,
      document: documents.create,
      async handle({ caller, body }) {
        const { customer, created } = await createCustomer(api, { business: caller.business, input: body })
        return { status: created ? 201 : 200, body: customerObject(customer) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/customers',
      scope: 'customers:read',
      query: CustomerListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        return { body: listObject(await listCustomers(db, caller.business.id, query), customerObject) }
      },
    }),
    ...oneCustomerRoutes(api),
  ]
}

function oneCustomerRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/customers/{id}',
      scope: 'customers:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        const customer = await findCustomer(db, caller.business.id, params.id ?? '')
        if (!customer) throw noSuchCustomer()
        return { body: customerObject(customer) }
      },
    }),
    route({
      ...shared,
      method: 'PATCH',
      path: '/api/v1/customers/{id}',
      scope: 'customers:write',
      body: CustomerUpdate,
      document: documents.update,
      async handle({ caller, params, body }) {
        const wanted = { business: caller.business, id: params.id ?? '', change: body }
        return { body: customerObject(await changeCustomer(api, wanted)) }
      },
    }),
  ]
}
