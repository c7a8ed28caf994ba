import { BulkArchive } from '../../../contract/dashboard/bulk.ts'
import { CatalogFiguresQuery, ProductEdit, ProductsQuery } from '../../../contract/dashboard/catalog-api.ts'
import { ProductCreate, type ProductUpdate } from '../../../contract/product.ts'
import type { Business } from '../../businesses/business.ts'
import { changeProduct } from '../../catalog/change-product.ts'
import { createProduct } from '../../catalog/create-product.ts'
import { pricesOfProduct } from '../../catalog/price-queries.ts'
import { noSuchProduct, type Product } from '../../catalog/product.ts'
import { findProduct, lockProduct } from '../../catalog/product-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { requireVersion } from '../version.ts'
import { createCatalogFigures } from './catalog-figures.ts'
import { editedProduct } from './catalog-objects.ts'
import { countProducts, listMatching } from './catalog-queries.ts'
import { withPrices } from './listed-products.ts'

const NONE = { rows: [], hasMore: false }
const FIGURES_MAX = 100

export function productRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  return [...readingRoutes(dashboard, { clock }), ...writingRoutes(dashboard, { clock })]
}

function readingRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  const { db } = dashboard
  const readFigures = createCatalogFigures({ db, clock })
  return [
    dashboard.read('GET /products', {
      permission: 'catalog.read',
      query: ProductsQuery,
      async handle({ member, query }) {
        const filter = { businessId: member.business.id, active: query.active, q: query.q }
        const [page, counted] = await Promise.all([listMatching(db, filter, query), countProducts(db, filter)])
        const rows = await withPrices(db, member.business.id, page.rows)
        return { body: dashboardList({ ...page, rows }, counted, (product) => product) }
      },
    }),
    dashboard.read('GET /products/{id}', {
      permission: 'catalog.read',
      async handle({ member, params: { id = '' } }) {
        const product = await findProduct(db, member.business.id, id)
        if (!product) throw noSuchProduct('id')
        return { body: editedProduct(product, await pricesOfProduct(db, member.business.id, id)) }
      },
    }),
    dashboard.read('GET /catalog/figures', {
      permission: 'catalog.read',
      query: CatalogFiguresQuery,
      async handle({ member, query }) {
        const ids = query.products?.split(',') ?? null
        if (ids && (ids.length > FIGURES_MAX || !ids.every(isUuid)))
          throw invalidField('products', 'must be up to 100 ids')
        return { body: await readFigures(member.business, ids) }
      },
    }),
  ]
}

function writingRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  return [
    dashboard.write('POST /products', {
      permission: 'catalog.write',
      action: 'product.create',
      body: ProductCreate,
      async handle({ member, body }, tx) {
        const made = await createProduct({ db: tx, clock }, { business: member.business, input: body })
        const product = editedProduct(made, NONE)
        return { status: 201, body: product, audit: { object: objectOf(made), after: auditedProduct(made) } }
      },
    }),
    dashboard.write('PATCH /products/{id}', {
      permission: 'catalog.write',
      action: 'product.update',
      body: ProductEdit,
      async handle({ member: { business }, params: { id = '' }, body: { version, ...change } }, tx) {
        const { product, ...audit } = await editProduct({ tx, clock }, { business, id, version, change })
        return { body: product, audit: { object: objectOf(product), ...audit } }
      },
    }),
    dashboard.bulk('POST /products/archive', {
      permission: 'catalog.write',
      action: 'product.update',
      body: BulkArchive,
      type: 'product',
      items: ({ items }) => items,
      async change({ member: { business }, body: { active } }, item, tx) {
        const { product, ...audit } = await editProduct({ tx, clock }, { business, ...item, change: { active } })
        return { done: { id: product.id, version: product.version }, ...audit }
      },
    }),
  ]
}

interface ProductChange {
  business: Business
  id: string
  /** Version that the person saw. */
  version: string
  change: ProductUpdate
}

/** @throws ApiError `not_found`, `conflict` for another version */
async function editProduct({ tx, clock }: { tx: Tx; clock: Clock }, { business, id, version, change }: ProductChange) {
  const before = await lockProduct(tx, business.id, id)
  if (!before) throw noSuchProduct('id')
  const prices = await pricesOfProduct(tx, business.id, id)
  requireVersion(version, editedProduct(before, prices))
  const after = await changeProduct({ db: tx, clock }, { business, id, change })
  return { product: editedProduct(after, prices), before: auditedProduct(before), after: auditedProduct(after) }
}

const objectOf = ({ id }: { id: string }) => ({ type: 'product', id })
const auditedProduct = ({ name, description, active, metadata }: Product) => ({ name, description, active, metadata })
