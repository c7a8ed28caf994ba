import { ProductCreate, ProductListQuery, ProductUpdate, type ProductWithPrices } from '../../contract/product.ts'
import { listObject, type MerchantApi } from '../access/keys/merchant-api.ts'
import type { Db } from '../db/connection.ts'
import { type Route, route } from '../http/route.ts'
import { changeProduct } from './change-product.ts'
import { createProduct } from './create-product.ts'
import { pricesOfProduct } from './price-queries.ts'
import { noSuchProduct, productObject, productWithPrices } from './product.ts'
import { PRODUCT_DOCUMENTS as documents } from './product-openapi.ts'
import { findProduct, listProducts } from './product-queries.ts'

/** Product routes of docs/specification/catalog.md. */
export function productRoutes(api: MerchantApi): Route[] {
  const { db, shared } = api
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/products',
      scope: 'catalog:write',
      body: ProductCreate,
      document: documents.create,
      async handle({ caller, body }) {
        const product = await createProduct(api, { business: caller.business, input: body })
        return { status: 201, body: productWithPrices(product, { rows: [], hasMore: false }) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/products',
      scope: 'catalog:read',
      query: ProductListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const which = { businessId: caller.business.id, active: query.active }
        return { body: listObject(await listProducts(db, which, query), productObject) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/products/{id}',
      scope: 'catalog:read',
      document: documents.retrieve,
      handle: async ({ caller, params }) => ({ body: await retrieveProduct(db, caller.business.id, params.id ?? '') }),
    }),
    route({
      ...shared,
      method: 'PATCH',
      path: '/api/v1/products/{id}',
      scope: 'catalog:write',
      body: ProductUpdate,
      document: documents.update,
      async handle({ caller: { business }, params: { id = '' }, body }) {
        const product = await changeProduct(api, { business, id, change: body })
        return { body: productWithPrices(product, await pricesOfProduct(db, business.id, id)) }
      },
    }),
  ]
}

async function retrieveProduct(db: Db, businessId: string, id: string): Promise<ProductWithPrices> {
  const [product, prices] = await Promise.all([findProduct(db, businessId, id), pricesOfProduct(db, businessId, id)])
  if (!product) throw noSuchProduct('id')
  return productWithPrices(product, prices)
}
