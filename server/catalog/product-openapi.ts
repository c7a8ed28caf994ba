import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import { type Product, ProductList, ProductWithPrices } from '../../contract/product.ts'
import type { RouteDocument } from '../http/route.ts'
import { PRICE_EXAMPLE } from './price-openapi.ts'

const group = 'Products'

const EXAMPLE: Product = {
  id: EXAMPLE_IDS.product,
  object: 'product',
  name: 'Gold plan',
  description: 'Everything, for a whole team.',
  active: true,
  metadata: { tier: 'gold' },
  created: 1763740800,
}

const { name, description, metadata } = EXAMPLE

/** Documents of the product routes. */
export const PRODUCT_DOCUMENTS = {
  create: {
    name: 'createProduct',
    group,
    summary: 'Create a product',
    description: 'What it costs are its prices. A request that is sent twice creates two products.',
    responses: {
      201: {
        description: 'The new product.',
        body: ProductWithPrices,
        example: { ...EXAMPLE, prices: [], prices_has_more: false },
      },
    },
    example: { name, description, metadata },
  },
  list: {
    name: 'listProducts',
    group,
    summary: 'List products',
    description: 'Newest first, without their prices.',
    responses: {
      200: {
        description: 'A page of products.',
        body: ProductList,
        example: { object: 'list', data: [EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveProduct',
    group,
    summary: 'Retrieve a product',
    description:
      'Includes the newest 100 prices, newest first. If `prices_has_more` is true, list the others with `GET /prices?product=`.',
    responses: {
      200: {
        description: 'The product.',
        body: ProductWithPrices,
        example: { ...EXAMPLE, prices: [PRICE_EXAMPLE], prices_has_more: false },
      },
    },
  },
  update: {
    name: 'updateProduct',
    group,
    summary: 'Update a product',
    description:
      'Absent fields stay; `null` clears a field; `metadata` is replaced as a whole. An inactive product accepts no new ' +
      'subscriptions; existing ones continue.',
    responses: {
      200: {
        description: 'The product as it is now.',
        body: ProductWithPrices,
        example: { ...EXAMPLE, active: false, prices: [PRICE_EXAMPLE], prices_has_more: false },
      },
    },
    example: { active: false },
  },
} satisfies Record<string, RouteDocument>
