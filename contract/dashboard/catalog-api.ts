import Type, { type Static } from 'typebox'
import { Product, type ProductCreate } from '../product.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about products and prices.

export const ProductsQuery = Type.Object({ ...DASHBOARD_PAGE, active: Type.Optional(Type.Boolean()) })
const ProductList = DashboardList(Product)

export interface CatalogApi {
  'GET /products': { query: Partial<Static<typeof ProductsQuery>>; response: Static<typeof ProductList> }
  'POST /products': { body: Static<typeof ProductCreate>; response: Static<typeof Product> }
}
