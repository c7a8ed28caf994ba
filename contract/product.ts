import Type, { type Static } from 'typebox'
import { EpochSeconds, Metadata, Name, Nullable, Paragraph, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'
import { Price } from './price.ts'

const NAME_MAX = 255
const DESCRIPTION_MAX = 2_000

export const ProductCreate = Type.Object(
  {
    name: Name(NAME_MAX),
    description: Type.Optional(Paragraph(DESCRIPTION_MAX)),
    active: Type.Boolean({ default: true }),
    metadata: Type.Optional(Metadata()),
  },
  { title: 'ProductCreate' },
)
export type ProductCreate = Static<typeof ProductCreate>

/** Absent fields stay as they are; `null` clears a field. Metadata is replaced as a whole. */
export const ProductUpdate = Type.Object(
  {
    name: Type.Optional(Name(NAME_MAX)),
    description: Type.Optional(Nullable(Paragraph(DESCRIPTION_MAX))),
    active: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Nullable(Metadata())),
  },
  { title: 'ProductUpdate' },
)
export type ProductUpdate = Static<typeof ProductUpdate>

const PRODUCT = {
  id: Uuid(),
  object: Type.Literal('product'),
  name: Type.String(),
  description: Nullable(Type.String()),
  active: Type.Boolean(),
  metadata: Metadata(),
  created: EpochSeconds(),
}

/** A product in lists. */
export const Product = Type.Object(PRODUCT, { title: 'Product' })
export type Product = Static<typeof Product>

/** Maximum number of prices that a product shows. */
export const PRICES_MAX = 100

/** A product as retrieved, created or updated, with its newest prices. */
export const ProductWithPrices = Type.Object(
  {
    ...PRODUCT,
    prices: Type.Array(Price, { maxItems: PRICES_MAX, description: 'The newest prices, newest first.' }),
    prices_has_more: Type.Boolean({
      description: 'Whether there are older prices; list the prices of the product to get them.',
    }),
  },
  { title: 'ProductWithPrices' },
)
export type ProductWithPrices = Static<typeof ProductWithPrices>

export const ProductListQuery = Type.Object({
  ...PAGE,
  active: Type.Optional(Type.Boolean({ description: 'Only active products, or only inactive ones.' })),
})

export const ProductList = ListOf(Product, 'ProductList')
