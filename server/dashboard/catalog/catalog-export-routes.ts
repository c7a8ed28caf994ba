import { type ListedProduct, PricesExport, ProductsExport } from '../../../contract/dashboard/catalog-api.ts'
import type { PRICE_COLUMNS, PRODUCT_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import type { Price } from '../../catalog/price.ts'
import { listPrices } from '../../catalog/price-queries.ts'
import type { Route } from '../../http/route.ts'
import type { Cents } from '../../lib/money.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import { countPrices, countProducts, listMatching } from './catalog-queries.ts'
import { withPrices } from './listed-products.ts'

/** Returns the routes that export the lists of products and prices. */
export function catalogExports(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.export('POST /products/export', {
      permission: 'export.customers',
      list: 'products',
      body: ProductsExport,
      columns: PRODUCT_CELLS,
      count: ({ member, body: { active, q } }) => countProducts(db, { businessId: member.business.id, active, q }),
      async read({ member: { business }, body: { active, q } }, after: ListedProduct | null, limit) {
        const page = { limit, ...(after && { starting_after: after.id }) }
        const { rows } = await listMatching(db, { businessId: business.id, active, q }, page)
        return withPrices(db, business.id, rows)
      },
    }),
    dashboard.export('POST /prices/export', {
      permission: 'export.customers',
      list: 'prices',
      body: PricesExport,
      columns: PRICE_CELLS,
      count: ({ member, body: { product, active } }) =>
        countPrices(db, { businessId: member.business.id, productId: product, active }),
      async read({ member, body: { product, active } }, after: Price | null, limit) {
        const which = { businessId: member.business.id, productId: product, active }
        return (await listPrices(db, which, { limit, ...(after && { starting_after: after.id }) })).rows
      },
    }),
  ]
}

const PRODUCT_CELLS: Record<(typeof PRODUCT_COLUMNS)[number], (product: ListedProduct) => CsvCell> = {
  id: ({ id }) => id,
  created: ({ created }) => new Date(created * 1000),
  name: ({ name }) => name,
  description: ({ description }) => description,
  active: ({ active }) => active,
  active_prices: ({ view }) => view.active_prices,
  price: ({ view }) => view.price?.id ?? null,
  amount: ({ view }) => view.price && { cents: view.price.unit_amount as Cents },
  currency: ({ view }) => view.price?.currency.toUpperCase() ?? null,
  interval: ({ view }) => view.price?.recurring?.interval ?? null,
  interval_count: ({ view }) => view.price?.recurring?.interval_count ?? null,
}

const PRICE_CELLS: Record<(typeof PRICE_COLUMNS)[number], (price: Price) => CsvCell> = {
  id: ({ id }) => id,
  created: ({ createdAt }) => createdAt,
  product: ({ productId }) => productId,
  nickname: ({ nickname }) => nickname,
  amount: ({ unitAmount }) => ({ cents: unitAmount }),
  currency: ({ currency }) => currency,
  interval: ({ cadence }) => cadence?.interval ?? null,
  interval_count: ({ cadence }) => cadence?.count ?? null,
  active: ({ active }) => active,
}
