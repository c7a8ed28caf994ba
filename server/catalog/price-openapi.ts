import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import { Price, PriceList } from '../../contract/price.ts'
import type { RouteDocument } from '../http/route.ts'

const group = 'Prices'

export const PRICE_EXAMPLE: Price = {
  id: EXAMPLE_IDS.price,
  object: 'price',
  product: EXAMPLE_IDS.product,
  unit_amount: 2500,
  currency: 'usd',
  recurring: { interval: 'month', interval_count: 1 },
  nickname: 'Monthly',
  active: true,
  metadata: {},
  created: 1763740860,
}

const { product, unit_amount, recurring, nickname } = PRICE_EXAMPLE

/** What the printed documents say of the routes of prices. */
export const PRICE_DOCUMENTS = {
  create: {
    name: 'createPrice',
    group,
    summary: 'Create a price',
    description:
      'In the currency of the business. Without `recurring` it is paid once. Supported cadences: `day` 1; `week` 1, 2; ' +
      '`month` 1, 3, 6; `year` 1.',
    responses: { 201: { description: 'The new price.', body: Price, example: PRICE_EXAMPLE } },
    refusals: ['not_found'],
    example: { product, unit_amount, recurring, nickname },
  },
  list: {
    name: 'listPrices',
    group,
    summary: 'List prices',
    description: 'Newest first.',
    responses: {
      200: {
        description: 'A page of prices.',
        body: PriceList,
        example: { object: 'list', data: [PRICE_EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrievePrice',
    group,
    summary: 'Retrieve a price',
    responses: { 200: { description: 'The price.', body: Price, example: PRICE_EXAMPLE } },
  },
  update: {
    name: 'updatePrice',
    group,
    summary: 'Update a price',
    description:
      'Nickname, metadata, and whether it is active. Amount, currency and cadence never change: make a new price. What is ' +
      'absent stays; `null` clears; `metadata` is replaced as a whole.',
    responses: {
      200: { description: 'The price as it is now.', body: Price, example: { ...PRICE_EXAMPLE, nickname: null } },
    },
    example: { nickname: null },
  },
} satisfies Record<string, RouteDocument>
