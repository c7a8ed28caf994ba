import { PriceCreate, PriceListQuery, PriceUpdate } from '../../contract/price.ts'
import { listObject, type MerchantApi } from '../access/keys/merchant-api.ts'
import { type Route, route } from '../http/route.ts'
import { changePrice } from './change-price.ts'
import { createPrice } from './create-price.ts'
import { noSuchPrice, priceObject } from './price.ts'
import { PRICE_DOCUMENTS as documents } from './price-openapi.ts'
import { findPrice, listPrices } from './price-queries.ts'

/** Price routes of docs/specification/catalog.md. */
export function priceRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/prices',
      scope: 'catalog:write',
      body: PriceCreate,
      document: documents.create,
      async handle({ caller, body }) {
        const price = await createPrice(api, { business: caller.business, input: body })
        return { status: 201, body: priceObject(price) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/prices',
      scope: 'catalog:read',
      query: PriceListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const which = { businessId: caller.business.id, productId: query.product, active: query.active }
        return { body: listObject(await listPrices(db, which, query), priceObject) }
      },
    }),
    ...onePriceRoutes(api),
  ]
}

function onePriceRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/prices/{id}',
      scope: 'catalog:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        const price = await findPrice(db, caller.business.id, params.id ?? '')
        if (!price) throw noSuchPrice()
        return { body: priceObject(price) }
      },
    }),
    route({
      ...shared,
      method: 'PATCH',
      path: '/api/v1/prices/{id}',
      scope: 'catalog:write',
      body: PriceUpdate,
      document: documents.update,
      async handle({ caller, params, body }) {
        const wanted = { business: caller.business, id: params.id ?? '', change: body }
        return { body: priceObject(await changePrice(api, wanted)) }
      },
    }),
  ]
}
