import { ProductsQuery } from '../../../contract/dashboard/catalog-api.ts'
import { ProductCreate } from '../../../contract/product.ts'
import { createProduct } from '../../catalog/create-product.ts'
import { productObject } from '../../catalog/product.ts'
import { listProducts } from '../../catalog/product-queries.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { countProducts } from './catalog-queries.ts'

/** Products and prices, as the dashboard's pages see them. */
export function catalogRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /products', {
      permission: 'catalog.read',
      query: ProductsQuery,
      async handle({ member, query }) {
        const which = { businessId: member.business.id, active: query.active }
        const [page, counted] = await Promise.all([listProducts(db, which, query), countProducts(db, which)])
        return { body: dashboardList(page, counted, productObject) }
      },
    }),
    dashboard.write('POST /products', {
      permission: 'catalog.write',
      action: 'product.create',
      body: ProductCreate,
      async handle({ member, body }, tx) {
        const product = productObject(
          await createProduct({ db: tx, clock }, { business: member.business, input: body }),
        )
        return {
          status: 201,
          body: product,
          audit: { object: { type: 'product', id: product.id }, after: { ...product } },
        }
      },
    }),
  ]
}
