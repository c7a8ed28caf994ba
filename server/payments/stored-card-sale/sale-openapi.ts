import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import type { RouteDocument } from '../../http/route.ts'

/** The API reference of the saved-card sale. */
export const SALE_DOCUMENT: RouteDocument = {
  name: 'createSale',
  group: 'Saved cards',
  summary: 'Charge a saved card',
  description: `Charges a card that the customer saved, without the customer being present, in the currency of the business.
A declined card gets 200 with \`ok: false\`. After \`gateway_timeout\` the sale is resolved, and reversed if it was approved.
Without an \`Idempotency-Key\`, a sale that is identical to an open one is refused.`,
  headers: {
    'Idempotency-Key':
      'Up to 255 characters. The same key and body get the same response for 24 hours; another body gets 422.',
  },
  example: { amount: 25.5, cardId: EXAMPLE_IDS.paymentMethod, ip_address: '203.0.113.7' },
  responses: {
    200: {
      description: 'Approved or declined.',
      body: SavedCardSaleResponse,
      example: {
        ok: true,
        status: 'Approved',
        code: 'AA',
        message: 'Approved',
        recordID: EXAMPLE_IDS.payment,
        receiptID: 'R7K2M9QX4TB',
      },
    },
  },
  refusals: ['payment_in_progress', 'gateway_timeout', 'gateway_unavailable'],
}
