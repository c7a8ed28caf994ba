import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Line, Nullable, Uuid } from '../formats.ts'
import { Price, PriceCreate, PriceListQuery, PriceUpdate } from '../price.ts'
import { Product, type ProductCreate, ProductUpdate, ProductWithPrices } from '../product.ts'
import type { BulkArchive, BulkResult } from './bulk.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about products and prices.

const SEARCH_MAX = 100
const VERSION_MAX = 64
const FIGURES_MAX = 100
/** The dates that a preview of a price shows. */
export const PREVIEWED_DATES = 3

export const ProductsQuery = Type.Object({
  ...DASHBOARD_PAGE,
  active: Type.Optional(Type.Boolean()),
  /** A part of the name. */
  q: Type.Optional(Line(SEARCH_MAX)),
})

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

/** The version that the person edited: a stale one is 409 (DSH-4). */
const Edited = { version: Line(VERSION_MAX) }
export const ProductEdit = Type.Object({ ...ProductUpdate.properties, ...Edited })
export const PriceEdit = Type.Object({ ...PriceUpdate.properties, ...Edited })

export const PricesQuery = Type.Object({
  ...DASHBOARD_PAGE,
  product: PriceListQuery.properties.product,
  active: PriceListQuery.properties.active,
})

export const PricePreviewOrder = Type.Object({ recurring: PriceCreate.properties.recurring })

/** What a new price would do. */
const PricePreview = Type.Object({
  object: Type.Literal('price_preview'),
  currency: Type.String(),
  /** The bills of a subscription that begins today, in the time zone of the business; none for one payment. */
  dates: Type.Array(Day(), { maxItems: PREVIEWED_DATES }),
})

export const CatalogFiguresQuery = Type.Object({
  /** Up to 100 ids of products, with commas between; absent: all. */
  products: Type.Optional(Line(FIGURES_MAX * 37)),
})

const CatalogFigures = Type.Object({
  object: Type.Literal('catalog_figures'),
  /** A minute before the call at most; those of a small business are of the call. */
  counted_at: EpochSeconds(),
  /** The first of the 30 days. */
  since: Day(),
  /**
   * Of the products asked for, those with the most active subscriptions first, at most 1,000. Prices without active
   * subscriptions and without volume are left out.
   */
  prices: Type.Array(
    Type.Object({
      price: Uuid(),
      product: Uuid(),
      active_subscriptions: Type.Integer(),
      /** In cents: amount times quantity of every bill paid in 30 days and not voided, before tax and surcharge. */
      volume: Type.Integer(),
    }),
  ),
})
export type CatalogFigures = Static<typeof CatalogFigures>

const ProductList = DashboardList(ListedProduct)
const EditedPriceList = DashboardList(EditedPrice)

export interface CatalogApi {
  'GET /products': { query: Partial<Static<typeof ProductsQuery>>; response: Static<typeof ProductList> }
  'POST /products': { body: Omit<ProductCreate, 'active'> & { active?: boolean }; response: EditedProduct }
  'GET /products/{id}': { response: EditedProduct }
  'PATCH /products/{id}': { body: Static<typeof ProductEdit>; response: EditedProduct }
  'POST /products/archive': { body: BulkArchive; response: BulkResult<ArchivedItem> }
  'GET /catalog/figures': { query: Static<typeof CatalogFiguresQuery>; response: CatalogFigures }
  'GET /prices': { query: Partial<Static<typeof PricesQuery>>; response: Static<typeof EditedPriceList> }
  'POST /prices': { body: NewPrice; response: EditedPrice }
  'POST /prices/preview': { body: Static<typeof PricePreviewOrder>; response: Static<typeof PricePreview> }
  'POST /prices/archive': { body: BulkArchive; response: BulkResult<ArchivedItem> }
  'PATCH /prices/{id}': { body: Static<typeof PriceEdit>; response: EditedPrice }
}

/** A product or a price that was archived or restored, with its version from now on. */
export interface ArchivedItem {
  id: string
  version: string
}

type NewPrice = Pick<PriceCreate, 'product' | 'unit_amount' | 'recurring' | 'nickname' | 'metadata'>
