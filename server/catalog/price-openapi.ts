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

/** Documents of the price routes. */
export const PRICE_DOCUMENTS = {
  create: {
    name: 'createPrice',
    group,
    summary: 'Create a price',
    description:
      'The price is in the currency of the business. Without `recurring` it is paid once. Supported values of ' +
      '`interval_count`: `day` 1; `week` 1, 2; `month` 1, 3, 6; `year` 1.',
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
    description: 'Its amount, currency and recurrence never change.',
    responses: { 200: { description: 'The price.', body: Price, example: PRICE_EXAMPLE } },
  },
  update: {
    name: 'updatePrice',
    group,
    summary: 'Update a price',
    description:
      'Changes the nickname, the metadata or the active state. Amount, currency and cadence cannot be changed: create a new ' +
      'price. Absent fields stay; `null` clears a field; `metadata` is replaced as a whole.',
    responses: {
      200: { description: 'The price as it is now.', body: Price, example: { ...PRICE_EXAMPLE, nickname: null } },
    },
    example: { nickname: null },
  },
} satisfies Record<string, RouteDocument>
