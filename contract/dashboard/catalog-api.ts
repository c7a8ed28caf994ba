import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Line, Name, Nullable, Uuid } from '../formats.ts'
import { Price, PriceCreate, PriceListQuery, PriceUpdate } from '../price.ts'
import { Product, type ProductCreate, ProductUpdate, ProductWithPrices } from '../product.ts'
import type { BulkArchive, BulkResult } from './bulk.ts'
import { ExportBody } from './export.ts'
import { PRICE_COLUMNS, PRODUCT_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about products and prices.

const SEARCH_MAX = 100
const FOUND_MAX = 50
const FOUND = 20
const VERSION_MAX = 64
const FIGURES_MAX = 100
/** Number of dates that a preview of a price shows. */
export const PREVIEWED_DATES = 3

const PRODUCT_FILTERS = {
  active: Type.Optional(Type.Boolean()),
  /** A part of the name, or an id. */
  q: Type.Optional(Line(SEARCH_MAX)),
}

export const ProductsQuery = Type.Object({ ...DASHBOARD_PAGE, ...PRODUCT_FILTERS })
export const ProductsExport = ExportBody(PRODUCT_FILTERS, PRODUCT_COLUMNS)

const Version = { version: Type.String() }
const EditedPrice = Type.Object({ ...Price.properties, ...Version })
export type EditedPrice = Static<typeof EditedPrice>

const ListedProduct = Type.Object({
  ...Product.properties,
  ...Version,
  view: Type.Object({
    active_prices: Type.Integer(),
    /** The only active price; `null` when there are none or several. */
    price: Nullable(Price),
  }),
})
export type ListedProduct = Static<typeof ListedProduct>

const EditedProduct = Type.Object({
  ...ProductWithPrices.properties,
  ...Version,
  prices: Type.Array(EditedPrice),
})
export type EditedProduct = Static<typeof EditedProduct>

/** The version that the person edited: an outdated one is refused with 409 (DSH-4). */
const Edited = { version: Line(VERSION_MAX) }
export const ProductEdit = Type.Object({ ...ProductUpdate.properties, ...Edited })
export const PriceEdit = Type.Object({ ...PriceUpdate.properties, ...Edited })

const PRICE_FILTERS = {
  product: PriceListQuery.properties.product,
  active: PriceListQuery.properties.active,
}

export const PricesQuery = Type.Object({ ...DASHBOARD_PAGE, ...PRICE_FILTERS })
export const PricesExport = ExportBody(PRICE_FILTERS, PRICE_COLUMNS)

/** Query for a field in which a price is chosen. */
export const PriceSearchQuery = Type.Object({
  /** Words of the product's name, the nickname or `metadata.reference`, and an amount; or an id. */
  q: Type.Optional(Name(SEARCH_MAX)),
  /** Whether both the price and its product are active. */
  active: Type.Optional(Type.Boolean()),
  recurring: Type.Optional(Type.Boolean()),
  limit: Type.Integer({ minimum: 1, maximum: FOUND_MAX, default: FOUND }),
})

const FoundPrice = Type.Object({
  ...Price.properties,
  view: Type.Object({ product: Type.Object({ id: Uuid(), name: Type.String(), active: Type.Boolean() }) }),
})
export type FoundPrice = Static<typeof FoundPrice>

const FoundPrices = Type.Object({
  object: Type.Literal('list'),
  /** Prices, newest first. */
  data: Type.Array(FoundPrice),
  has_more: Type.Boolean(),
})

export const PricePreviewOrder = Type.Object({ recurring: PriceCreate.properties.recurring })

/** Effect of a new price. */
const PricePreview = Type.Object({
  object: Type.Literal('price_preview'),
  currency: Type.String(),
  /** The bills of a subscription that starts today, in the time zone of the business; empty for a one-time price. */
  dates: Type.Array(Day(), { maxItems: PREVIEWED_DATES }),
})

export const CatalogFiguresQuery = Type.Object({
  /** Up to 100 ids of products, separated by commas; absent means all products. */
  products: Type.Optional(Line(FIGURES_MAX * 37)),
})

const CatalogFigures = Type.Object({
  object: Type.Literal('catalog_figures'),
  /** Time of the count: at most a minute before the call; for a small business the call itself. */
  counted_at: EpochSeconds(),
  /** The first of the 30 days. */
  since: Day(),
  /**
   * Prices of the requested products, those with the most active subscriptions first, at most 1,000. Prices without
   * active subscriptions and without volume are left out.
   */
  prices: Type.Array(
    Type.Object({
      price: Uuid(),
      product: Uuid(),
      active_subscriptions: Type.Integer(),
      /**
       * Volume in cents: amount times quantity of every bill paid in 30 days and not voided, before tax and surcharge.
       */
      volume: Type.Integer(),
    }),
  ),
})
export type CatalogFigures = Static<typeof CatalogFigures>

const ProductList = DashboardList(ListedProduct)
const EditedPriceList = DashboardList(EditedPrice)

export interface CatalogApi {
  'GET /products': { query: Partial<Static<typeof ProductsQuery>>; response: Static<typeof ProductList> }
  'POST /products/export': { body: Static<typeof ProductsExport>; response: string }
  'POST /products': { body: Omit<ProductCreate, 'active'> & { active?: boolean }; response: EditedProduct }
  'GET /products/{id}': { response: EditedProduct }
  'PATCH /products/{id}': { body: Static<typeof ProductEdit>; response: EditedProduct }
  'POST /products/archive': { body: BulkArchive; response: BulkResult<ArchivedItem> }
  'GET /catalog/figures': { query: Static<typeof CatalogFiguresQuery>; response: CatalogFigures }
  'GET /prices': { query: Partial<Static<typeof PricesQuery>>; response: Static<typeof EditedPriceList> }
  'POST /prices/export': { body: Static<typeof PricesExport>; response: string }
  'GET /prices/search': { query: Partial<Static<typeof PriceSearchQuery>>; response: Static<typeof FoundPrices> }
  'POST /prices': { body: NewPrice; response: EditedPrice }
  'POST /prices/preview': { body: Static<typeof PricePreviewOrder>; response: Static<typeof PricePreview> }
  'POST /prices/archive': { body: BulkArchive; response: BulkResult<ArchivedItem> }
  'PATCH /prices/{id}': { body: Static<typeof PriceEdit>; response: EditedPrice }
}

/** A product or a price that was archived or restored, with its new version. */
export interface ArchivedItem {
  id: string
  version: string
}

type NewPrice = Pick<PriceCreate, 'product' | 'unit_amount' | 'recurring' | 'nickname' | 'metadata'>
